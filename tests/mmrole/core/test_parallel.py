import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from mmrole.core.parallel import SerialEngine, run_tasks
from mmrole.core.processes import ProcessEngine, beat


def square(x):
    return x * x


def odd_fails(x):
    if x % 2:
        raise ValueError(f"{x} is odd")
    return x


def dies_on_3(x):
    if x == 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return x


def hangs_on_3(x):
    if x == 3:
        time.sleep(600)
    return x


def slow_but_alive(x):
    for _ in range(8):
        time.sleep(0.25)
        beat()
    return x


def exits_on_3(x):
    if x == 3:
        os._exit(0)
    return x


ENGINES = [SerialEngine(), ProcessEngine(1), ProcessEngine(2)]


@pytest.mark.parametrize("engine", ENGINES, ids=["serial", "1 process", "2 processes"])
def test_every_item_has_one_outcome(engine):
    outcomes = list(run_tasks(odd_fails, range(11), engine))
    assert sorted(o.item for o in outcomes) == list(range(11))
    for outcome in outcomes:
        assert outcome.crash is None
        if outcome.item % 2:
            assert str(outcome.error) == f"{outcome.item} is odd"
            assert outcome.result is None
        else:
            assert (outcome.result, outcome.error) == (outcome.item, None)


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize("function", [dies_on_3, exits_on_3])
def test_a_worker_that_dies_costs_its_item_only(jobs, function):
    outcomes = {o.item: o for o in run_tasks(function, range(8), ProcessEngine(jobs))}
    assert sorted(outcomes) == list(range(8))
    assert outcomes[3].crash == "its worker process died"
    assert [outcomes[i].result for i in (0, 1, 2, 4, 5, 6, 7)] == [0, 1, 2, 4, 5, 6, 7]


def test_a_worker_that_hangs_costs_its_item_only():
    outcomes = {o.item: o for o in run_tasks(hangs_on_3, range(5), ProcessEngine(1, stall_s=3))}
    assert "no sign of life" in outcomes[3].crash
    assert [outcomes[i].result for i in (0, 1, 2, 4)] == [0, 1, 2, 4]


def test_a_slow_worker_that_beats_is_left_alone():
    [outcome] = run_tasks(slow_but_alive, [7], ProcessEngine(1, stall_s=1.5))
    assert outcome.result == 7


def test_items_are_drawn_as_they_are_needed():
    drawn = []

    def endless():
        for number in range(10**9):
            drawn.append(number)
            yield number

    outcomes = run_tasks(square, endless(), ProcessEngine(2))
    # which worker is up first is not known
    assert {next(outcomes).result for _ in range(4)} <= {number**2 for number in drawn}
    outcomes.close()
    assert len(drawn) < 20


def test_closing_ends_the_workers():
    outcomes = run_tasks(os_pid, range(100), ProcessEngine(2))
    pids = {next(outcomes).result for _ in range(6)}
    outcomes.close()
    deadline = time.monotonic() + 10
    while any(is_running(pid) for pid in pids) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(is_running(pid) for pid in pids)


def os_pid(_):
    return os.getpid()


def is_running(pid):
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


SCRIPT = """
import os, sys
from mmrole.core.parallel import run_tasks
from mmrole.core.processes import ProcessEngine
print("top of the script", flush=True)
print(sorted(o.result for o in run_tasks(abs, [-1, -2, -3], ProcessEngine(2))))
"""


def test_a_script_without_a_main_guard_is_not_run_again_by_the_workers(tmp_path):
    (tmp_path / "script.py").write_text(SCRIPT)
    run = subprocess.run([sys.executable, tmp_path / "script.py"], capture_output=True, text=True, timeout=60)
    assert run.stdout.splitlines() == ["top of the script", "[1, 2, 3]"], run.stderr


ORPHAN = """
import os, sys, time
from mmrole.core.parallel import run_tasks
from mmrole.core.processes import ProcessEngine
outcomes = run_tasks(time.sleep, [0, 0, 600, 600], ProcessEngine(2))
next(outcomes)
import multiprocessing
print(*[p.pid for p in multiprocessing.active_children()], flush=True)
time.sleep(60)
"""


def blocked_signals(_item):
    return signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def test_a_worker_that_is_being_started_does_not_hear_ctrl_c():
    """It inherits what is blocked: an interrupted start of Python would print a traceback. This process hears it."""
    [outcome] = run_tasks(blocked_signals, [0], ProcessEngine(1))
    assert outcome.result is True
    assert not blocked_signals(0)


def test_workers_end_when_their_parent_is_killed():
    parent = subprocess.Popen([sys.executable, "-c", ORPHAN], stdout=subprocess.PIPE, text=True)
    try:
        pids = [int(pid) for pid in parent.stdout.readline().split()]
        assert pids
    finally:
        parent.kill()
        parent.wait()
        parent.stdout.close()
    deadline = time.monotonic() + 10
    while any(is_running(pid) for pid in pids) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not any(is_running(pid) for pid in pids)
