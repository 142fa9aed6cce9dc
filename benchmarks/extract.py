"""What `mmrole extract` costs, beside what it cannot go below and beside other ways to measure the same.

    python benchmarks/extract.py [--mediapipe-python PYTHON] [--clips DIR] [--only PART,...] [--work DIR]

Everything is measured in one run, each in a process of its own on one core, one after the other: CPU milliseconds per second of video.
For the project it is the whole command, with its start; for all others the loop alone, without start and loading of models, so
that the comparison never favours the project. Then the speed-up of two workers, and the peak memory of a worker. Prints Markdown.

Parts: decode decord floor floor-shipped project stock stock-opencv naive (extract_contenders.py says what each is), short jobs memory.
`--clips` measures a folder of one's own in place of the long clip that is made from the fixtures. The parts with MediaPipe
and decord run under `--mediapipe-python`, a Python that has them and av (and parselmouth and librosa: without them there is no pitch in
these parts, which is said).
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import threading
import time
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
ALONE = ("decode", "decord", "floor", "floor-shipped", "stock", "stock-opencv", "naive")
PARTS = (*ALONE, "project", "short", "jobs", "memory")
OTHERS = {"decord": "decord", "stock": "mediapipe", "stock-opencv": "mediapipe", "naive": "mediapipe"}  # part: package
ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


@dataclass(frozen=True, kw_only=True)
class Cost:
    """What a process and its children used: CPU and wall seconds, peak resident memory of the largest child (else its own)."""

    cpu_s: float
    wall_s: float
    peak_mb: float
    out: str


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--clips", type=Path, help="folder to measure in place of the long clip")
    parser.add_argument("--seconds", type=int, default=300, help="length of the long clip")
    parser.add_argument("--short", type=int, default=200, help="number of two-second clips")
    parser.add_argument("--naive-seconds", type=float, default=40.0, help="the naive script stops after so much")
    parser.add_argument("--fps", type=float, default=5.0)
    parser.add_argument("--only", default=",".join(PARTS), help="comma-separated parts")
    parser.add_argument("--mediapipe-python", default=sys.executable)
    parser.add_argument("--models", type=Path, default=Path.home() / ".cache" / "mmrole" / "models")
    parser.add_argument("--core", type=int, default=0, help="the core for what is measured alone")
    parser.add_argument(
        "--work", type=Path, help="folder for the clips, kept and used again (default: a temporary one)"
    )
    args = parser.parse_args()
    parts = args.only.split(",")
    if unknown := set(parts) - set(PARTS):
        parser.error(f"no such part: {', '.join(sorted(unknown))} (there are {', '.join(PARTS)})")
    with tempfile.TemporaryDirectory() as temporary:
        Bench(args, parts, args.work or Path(temporary) / "clips", Path(temporary)).run()


class Bench:
    """One run of the benchmark."""

    def __init__(self, args: argparse.Namespace, parts: list[str], material: Path, temporary: Path) -> None:
        self.args, self.parts, self.material, self.temporary = args, parts, material, temporary
        self.ms: dict[str, float] = {}  # CPU ms per second of video
        self.clips = args.clips or material / "long"

    def run(self) -> None:
        load = os.getloadavg()[0]
        say(f"{platform.machine()}, {cpu_model()}, {os.cpu_count()} cores, Python {platform.python_version()}")
        if load > 0.5:
            say(
                f"The machine is busy (load {load:.1f}): CPU times come out too long, and the speed-up of two workers means nothing."
            )
        make = [HERE / "extract_material.py", self.material, "--seconds", self.args.seconds, "--short", self.args.short]
        measured([sys.executable, *make])
        if set(self.parts) - {"jobs", "memory"}:
            say("\n| | CPU ms per video-second | |\n|---|---|---|")
        for name in ALONE:
            if name in self.parts:
                self._alone(name, self.clips, name)
        if "project" in self.parts:
            length_s = self._length_s(self.clips)
            self._row("project", 1000 * self._extract(self.clips).cpu_s / length_s, "whole command, --jobs 1")
        if "short" in self.parts:
            self._alone("floor", self.material / "short", "floor-short")
            short = self._extract(self.material / "short")
            short_s = self._length_s(self.material / "short")
            self._row("project-short", 1000 * short.cpu_s / short_s, "whole command, --jobs 1, two-second clips")
        self._ratios()
        if "jobs" in self.parts:
            walls = [self._extract(self.material / "short", jobs=jobs, pinned=False).wall_s for jobs in (1, 2)]
            say(
                f"\n--jobs 2 on the two-second clips: {walls[0]:.1f} s -> {walls[1]:.1f} s, {walls[0] / walls[1]:.2f} x"
            )
        if "memory" in self.parts:
            say("\n| peak resident memory of a worker | MB |\n|---|---|")
            for what, folder in (("10 clips of 2 s", "ten"), (f"{self.args.short} clips of 2 s", "short")):
                say(f"| {what} | {self._extract(self.material / folder).peak_mb:.0f} |")
            length_s = self._length_s(self.material / "long")
            say(f"| 1 clip of {length_s:.0f} s | {self._extract(self.material / 'long').peak_mb:.0f} |")

    def _alone(self, name: str, clips: Path, row: str) -> None:
        python = self.args.mediapipe_python if name in OTHERS else sys.executable
        missing = self._missing(python, name)
        if missing:
            say(f"| {row} | skipped: no {missing} in {python} | |")
            return
        seconds = ["--seconds", self.args.naive_seconds] if name == "naive" else []
        found = json.loads(self._contender(python, name, clips, *seconds).out.splitlines()[-1])
        self._row(row, 1000 * found["cpu_s"] / found["video_s"], "; ".join(found["notes"]))

    def _contender(self, python: str, name: str, clips: Path, *more: object) -> Cost:
        given = ("--clips", clips, "--models", self.args.models, "--fps", self.args.fps, *more)
        return measured([python, HERE / "extract_contenders.py", name, *given], core=self.args.core)

    def _missing(self, python: str, name: str) -> str | None:
        wanted = [OTHERS[name], "av"] if name in OTHERS else []
        for package in wanted:
            code = f"import importlib.util, sys; sys.exit(importlib.util.find_spec({package!r}) is None)"
            if subprocess.run([python, "-c", code], check=False).returncode:
                return package
        return None

    def _length_s(self, clips: Path) -> float:
        return float(json.loads(self._contender(sys.executable, "length", clips).out)["video_s"])

    def _extract(self, clips: Path, *, jobs: int = 1, pinned: bool = True) -> Cost:
        out = Path(tempfile.mkdtemp(dir=self.temporary))
        command = [
            sys.executable,
            "-m",
            "mmrole",
            "extract",
            clips,
            "--out",
            out,
            "--jobs",
            jobs,
            "--fps",
            self.args.fps,
        ]
        return measured([*command, "--models", self.args.models, "--quiet"], core=self.args.core if pinned else None)

    def _row(self, name: str, ms: float, note: str) -> None:
        self.ms[name] = ms
        say(f"| {name} | {ms:.1f} | {note} |")

    def _ratios(self) -> None:
        pairs = [("project", "floor"), ("project", "floor-shipped"), ("project-short", "floor-short")]
        pairs += [(name, "project") for name in OTHERS if name != "decord"]
        pairs = [pair for pair in pairs if self.ms.keys() >= set(pair)]
        if pairs:
            say("\n| ratio | |\n|---|---|")
        for above, below in pairs:
            say(f"| {above} / {below} | {self.ms[above] / self.ms[below]:.2f} |")


def measured(command: list[object], *, core: int | None = None) -> Cost:
    """Runs a command to its end, on one core if one is given.

    The memory of children is looked up while they live: what the kernel tells of ended ones includes that of the process that started them.
    """
    words = [str(word) for word in command]
    with tempfile.TemporaryFile("w+") as out, tempfile.TemporaryFile("w+") as errors:
        start_s = time.perf_counter()
        process = subprocess.Popen(
            words,
            stdout=out,
            stderr=errors,
            env={**os.environ, **ONE_THREAD},
            preexec_fn=None if core is None else lambda: os.sched_setaffinity(0, {core}),
        )
        peaks: dict[int, float] = {}
        ended = threading.Event()
        watch = threading.Thread(target=watch_memory, args=(process.pid, peaks, ended))
        watch.start()
        _, status, usage = os.wait4(process.pid, 0)
        wall_s = time.perf_counter() - start_s
        process.returncode = os.waitstatus_to_exitcode(status)
        ended.set()
        watch.join()
        out.seek(0)
        errors.seek(0)
        if process.returncode:
            raise SystemExit(f"{' '.join(words)}\nended with {process.returncode}:\n{errors.read()}")
        own = peaks.pop(process.pid, float("nan"))
        peak_mb = max(peaks.values(), default=own)
        return Cost(cpu_s=usage.ru_utime + usage.ru_stime, wall_s=wall_s, peak_mb=peak_mb, out=out.read())


def watch_memory(root: int, peaks: dict[int, float], ended: threading.Event) -> None:
    """Keeps the peak resident memory (MB) of a process and all below it, by process id."""
    while not ended.wait(0.05):
        waiting = [root]
        while waiting:
            pid = waiting.pop()
            try:
                status = Path(f"/proc/{pid}/status").read_text()
                for task in Path(f"/proc/{pid}/task").iterdir():
                    waiting += map(int, (task / "children").read_text().split())
            except OSError:
                continue
            for line in status.splitlines():
                if line.startswith("VmHWM:"):
                    peaks[pid] = max(peaks.get(pid, 0.0), int(line.split()[1]) / 1024)


def cpu_model() -> str:
    for line in Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return "unknown processor"


def say(text: str) -> None:
    print(text, flush=True)


if __name__ == "__main__":
    main()
