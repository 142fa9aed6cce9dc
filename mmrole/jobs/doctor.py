"""`mmrole doctor`: is everything there that a run needs?"""

from __future__ import annotations

import importlib
import os
import platform
import shutil
import sys
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from mmrole.core.model_files import MODEL_FILES, models_folder, state

_NEEDED = (
    "ai-edge-litert", "av", "matplotlib", "numpy", "openai", "opencv-python-headless", "pandas", "praat-parselmouth",
    "pyarrow", "pydantic", "rich", "scipy", "threadpoolctl", "webrtcvad-wheels",
)  # fmt: skip
_EXTRAS = {"librosa": "librosa", "mediapipe": "mediapipe", "distributed": "distributed", "transformers": "local"}
_DECODERS = (
    "h264",
    "hevc",
    "vp9",
    "libdav1d",
    "mpeg4",
    "vp6f",
    "flv",
    "aac",
    "mp3",
    "opus",
    "ac3",
    "flac",
    "pcm_s16le",
)
_OPENCV_PACKAGES = (
    "opencv-python",
    "opencv-python-headless",
    "opencv-contrib-python",
    "opencv-contrib-python-headless",
)
_CHINESE_FONTS = (
    "Noto Sans CJK",
    "Source Han Sans",
    "WenQuanYi",
    "SimHei",
    "Microsoft YaHei",
    "PingFang",
    "Droid Sans Fallback",
)
_LOW_DISK_BYTES = 2 * 10**9


@dataclass(frozen=True, kw_only=True)
class Finding:
    """One thing that was looked at.

    Attributes:
        what: the thing
        ok: whether it is as it should be
        found: what was seen
        advice: what to do when it is not
        optional: whether the main job works without it
    """

    what: str
    ok: bool
    found: str
    advice: str = ""
    optional: bool = False


def examine(*, out: str | os.PathLike[str] = ".", models: str | os.PathLike[str] | None = None) -> list[Finding]:
    """Looks at versions, decoders, model files, fonts and free disk.

    Args:
        out: where results would go
        models: folder of the model files
    """
    return [*_versions(), *_packages(), _decoders(), *_models(models), _fonts(), _disk(Path(out))]


def try_endpoints(config: str | os.PathLike[str] | None = None) -> list[Finding]:
    """Asks every configured endpoint one small thing; this is a real request and may cost a little.

    Args:
        config: the file with the endpoints; mmrole.toml in the working folder when None

    Raises:
        InputError: the file is missing or has a mistake in it
    """
    from mmrole.llm.config import read_config
    from mmrole.llm.opening import check_endpoint

    known = read_config(None if config is None else Path(config))
    checks = [check_endpoint(known, name) for name in known.endpoints]
    return [
        Finding(what=f"endpoint {check.name}", ok=check.ok, found=f"{check.detail} ({check.seconds:.1f} s)")
        for check in checks
    ]


def _versions() -> list[Finding]:
    version = platform.python_version()
    right = sys.version_info >= (3, 11)
    return [
        Finding(what="mmrole", ok=True, found=metadata.version("mmrole")),
        Finding(what="python", ok=right, found=version, advice="mmrole needs Python 3.11 or newer"),
        Finding(what="processors", ok=True, found=f"{len(os.sched_getaffinity(0))} usable"),
    ]


def _packages() -> list[Finding]:
    findings = []
    for name in (*_NEEDED, *_EXTRAS):
        extra = _EXTRAS.get(name)
        advice = f"pip install 'mmrole[{extra}]'" if extra else f"pip install {name}"
        try:
            findings.append(Finding(what=name, ok=True, found=metadata.version(name), optional=bool(extra)))
        except metadata.PackageNotFoundError:
            findings.append(Finding(what=name, ok=False, found="not installed", advice=advice, optional=bool(extra)))
    cv = [name for name in _OPENCV_PACKAGES if _installed(name)]
    advice = f"they overwrite one another: pip uninstall {' '.join(cv)}, then pip install opencv-python-headless"
    findings.append(
        Finding(what="one OpenCV", ok=len(cv) == 1, found=", ".join(cv) or "none", advice=advice, optional=True)
    )
    return findings


def _installed(name: str) -> bool:
    try:
        metadata.version(name)
    except metadata.PackageNotFoundError:
        return False
    return True


def _decoders() -> Finding:
    try:
        known = importlib.import_module("av").codecs_available
    except ImportError as error:
        return Finding(what="decoders", ok=False, found=str(error), advice="pip install --force-reinstall av")
    missing = [name for name in _DECODERS if name not in known]
    found = f"{len(_DECODERS) - len(missing)} of {len(_DECODERS)} looked for" + (
        f", without {' '.join(missing)}" if missing else ""
    )
    return Finding(
        what="decoders",
        ok=not missing,
        found=found,
        advice="install PyAV's own build: pip install --force-reinstall av",
    )


def _models(models: str | os.PathLike[str] | None) -> list[Finding]:
    folder = models_folder(Path(models) if models else None)
    states = [(model, state(model, folder)) for model in MODEL_FILES]
    return [
        Finding(
            what=f"model {model.name}",
            ok=found == "ok",
            found=f"{found} in {folder}",
            advice="run `mmrole models fetch`",
        )
        for model, found in states
    ]


def _fonts() -> Finding:
    from matplotlib import font_manager

    names = {font.name for font in font_manager.fontManager.ttflist}
    found = sorted(name for name in names if name.startswith(_CHINESE_FONTS))
    advice = (
        "Chinese text in pictures needs one, such as the package fonts-noto-cjk; then remove matplotlib's font cache"
    )
    return Finding(
        what="a font with Chinese", ok=bool(found), found=found[0] if found else "none", advice=advice, optional=True
    )


def _disk(out: Path) -> Finding:
    place = out
    while not place.exists() and place != place.parent:
        place = place.parent
    free = shutil.disk_usage(place).free
    found = f"{free / 1e9:.1f} GB at {place.resolve()}"
    return Finding(
        what="free disk",
        ok=free >= _LOW_DISK_BYTES,
        found=found,
        advice="features take about 60 kB a second: make room",
    )
