import os
import signal
import subprocess
import sys
import time

import pytest

from mmrole.core.errors import ClusterError, UsageError

pytestmark = pytest.mark.distributed
distributed = pytest.importorskip("distributed", reason="needs the extra `distributed`")

WORKERS = 2


@pytest.fixture
def cluster(tmp_path):
    """A scheduler and two workers, each a process of its own; workers are not started again when they die."""
    from mmrole.core.dask_engine import DaskEngine

    file = tmp_path / "scheduler.json"
    common = ["--scheduler-file", str(file), "--no-dashboard"]
    commands = [["dask_scheduler", *common, "--host", "127.0.0.1", "--port", "0"]]
    commands += [
        ["dask_worker", *common, "--nthreads", "1", "--no-nanny", "--local-directory", str(tmp_path)]
    ] * WORKERS
    log = (tmp_path / "log").open("w")
    processes = []
    try:
        for name, *arguments in commands:
            command = [sys.executable, "-W", "ignore", "-m", f"distributed.cli.{name}", *arguments]
            processes.append(subprocess.Popen(command, stdout=log, stderr=log, cwd=tmp_path))
            deadline = time.monotonic() + 60
            while not file.exists() or not file.read_text():
                assert time.monotonic() < deadline, (tmp_path / "log").read_text()
                time.sleep(0.05)
        import json

        address = json.loads(file.read_text())["address"].replace("tcp://", "dask://")
        wait_for_workers(address, WORKERS)
        yield DaskEngine(address), processes[1:]
    finally:
        for process in processes:
            process.kill()
            process.wait()
        log.close()


def wait_for_workers(address, count):
    with distributed.Client(address.replace("dask://", "tcp://"), set_as_default=False) as client:
        client.wait_for_workers(count, timeout=60)


def by_id(result):
    return {record["clip_id"]: record for record in result.done}


@pytest.mark.filterwarnings("default")
def test_a_killed_worker_loses_nothing(cluster, fixture_clips, model_files, tmp_path):
    import mmrole

    engine, workers = cluster
    here = mmrole.extract(fixture_clips, out=tmp_path / "here", jobs=1)
    killed = []

    def kill_one(_progress):
        if not killed:
            killed.append(workers[0].pid)
            os.kill(workers[0].pid, signal.SIGKILL)

    address = engine.address.replace("tcp://", "dask://")
    there = mmrole.extract(fixture_clips, out=tmp_path / "there", engine=address, on_progress=kill_one)
    assert workers[0].wait() == -signal.SIGKILL
    assert there.counts == here.counts
    for clip_id, record in by_id(here).items():
        assert by_id(there)[clip_id] == record
    for record in there.done:
        for name in record["files"]:
            assert (tmp_path / "there" / name).read_bytes() == (tmp_path / "here" / name).read_bytes()


@pytest.mark.filterwarnings("default")
def test_no_scheduler_is_one_line():
    from mmrole.core.dask_engine import DaskEngine

    with pytest.raises(ClusterError, match=r"no Dask scheduler answers at tcp://127\.0\.0\.1:9"):
        DaskEngine("dask://127.0.0.1:9").lanes()


@pytest.mark.parametrize("address", ["dask://", "dask://host", "dask://host:port", "tcp://a:1", "cluster"])
def test_bad_addresses_are_refused(address):
    from mmrole.core.dask_engine import DaskEngine

    with pytest.raises(UsageError, match="engine must be local or dask://HOST:PORT"):
        DaskEngine(address)
