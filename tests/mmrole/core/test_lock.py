import os
import signal
import subprocess
import sys

import pytest

from mmrole.core.errors import LockedError
from mmrole.core.lock import RunLock

HOLD = """
import sys, time
from pathlib import Path
from mmrole.core.lock import RunLock
lock = RunLock(Path(sys.argv[1]))
print("held", flush=True)
time.sleep(60)
"""


def test_a_second_run_is_refused_with_the_name_of_the_first(tmp_path):
    with RunLock(tmp_path), pytest.raises(LockedError, match=rf"in use by another run \(process {os.getpid()} on "):
        RunLock(tmp_path)
    with RunLock(tmp_path):
        pass


def test_a_killed_run_holds_nothing(tmp_path):
    holder = subprocess.Popen([sys.executable, "-c", HOLD, tmp_path], stdout=subprocess.PIPE)
    try:
        assert holder.stdout.readline() == b"held\n"
        with pytest.raises(LockedError, match=str(holder.pid)):
            RunLock(tmp_path)
    finally:
        holder.send_signal(signal.SIGKILL)
        holder.wait()
        holder.stdout.close()
    RunLock(tmp_path).release()
