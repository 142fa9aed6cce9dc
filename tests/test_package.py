"""The package as a whole: what it offers, what it ships, which way its imports point."""

import os
import subprocess
import sys
import zipfile

import pytest

import mmrole


def test_the_public_names_are_these():
    assert sorted(mmrole.__all__) == [
        "ExtractResult",
        "FeatureStore",
        "describe",
        "extract",
        "judge",
        "read_dialogues",
        "read_features",
        "recognize",
        "respond",
        "score",
    ]
    for name in mmrole.__all__:
        assert getattr(mmrole, name).__name__ == name
    assert set(mmrole.__all__) <= set(dir(mmrole))
    with pytest.raises(AttributeError, match="no attribute 'extrakt'; it has ExtractResult"):
        _ = mmrole.extrakt


def test_the_wheel_holds_our_packages_and_nothing_else(root, tmp_path):
    build = [
        sys.executable,
        "-c",
        "from hatchling.build import build_wheel; import sys; print(build_wheel(sys.argv[1]))",
        tmp_path,
    ]
    made = subprocess.run(build, cwd=root, capture_output=True, text=True, check=True).stdout.split()[-1]
    with zipfile.ZipFile(tmp_path / made) as wheel:
        names = wheel.namelist()
    top = {name.split("/")[0] for name in names}
    assert {name for name in top if not name.endswith(".dist-info")} == {"mmrole", "extractors", "emotion", "textbench"}
    assert any(name.endswith("licenses/NOTICE") for name in names)
    assert "mmrole/py.typed" in names


def test_a_strangers_package_of_the_same_name_is_one_clear_error(tmp_path):
    (tmp_path / "extractors").mkdir()
    (tmp_path / "extractors" / "__init__.py").write_text("")
    code = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from mmrole import extract"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    last = run.stderr.splitlines()[-1]
    assert "ShadowedPackageError" in last
    assert str(tmp_path / "extractors") in last
    assert "rename or uninstall it" in last


def test_no_module_is_larger_than_three_hundred_lines(root):
    large = {}
    for package in ("mmrole", "extractors", "emotion", "textbench"):
        for path in (root / package).rglob("*.py"):
            lines = path.read_text("utf-8").count("\n")
            if lines > 300:
                large[os.fspath(path.relative_to(root))] = lines
    assert large == {}


def test_errors_keep_their_message_and_are_the_builtins_that_callers_catch():
    from mmrole.core import errors

    expected = {
        "UsageError": ValueError, "InputError": ValueError, "StoreError": RuntimeError, "LockedError": RuntimeError, "DiskError": OSError,
        "ModelFileError": FileNotFoundError, "MissingExtraError": ImportError, "ClusterError": ConnectionError,
    }  # fmt: skip
    for name, builtin in expected.items():
        error = getattr(errors, name)("what and what to do")
        assert isinstance(error, builtin)
        assert isinstance(error, errors.MMRoleError)
        assert str(error) == "what and what to do"


def test_a_media_error_survives_the_way_home_from_a_worker():
    import pickle

    from mmrole.core.errors import MediaError

    error = pickle.loads(pickle.dumps(MediaError("corrupt", "x.mp4 is broken")))
    assert (error.reason, error.detail, str(error)) == ("corrupt", "x.mp4 is broken", "corrupt: x.mp4 is broken")
