"""Worker processes: answers, exceptions, deaths, a deadline, Ctrl-C, and a parent that is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from surrogate.kit import executor
from surrogate.kit.errors import ProblemError
from surrogate.kit.executor import Local, Stopped, WorkerDied, cores, device, stopping
from tests.helpers.surrogate import kit_jobs as jobs
from tests.helpers.tree import ROOT, fresh


def until(true: Callable[[], bool]) -> None:
    end = time.monotonic() + 60
    while not true():
        assert time.monotonic() < end
        time.sleep(0.01)


def gone(path: Path) -> bool:
    """Whether the process that wrote its number there has ended."""
    process = path.with_suffix(".pid").read_text()
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "Z"
    except OSError:
        return True


def test_jobs_run_in_other_processes_of_one_thread_each(tmp_path: Path) -> None:
    with Local(2) as pool:
        told = [future.result() for future in [pool.submit(jobs.meet, tmp_path, 2) for _ in range(2)]]
        assert pool.submit(pow, 2, 10).result() == 1024 and list(pool.map(abs, [-1, -2])) == [1, 2]
    assert len({one["process"] for one in told} - {os.getpid()}) == 2
    assert [(one["threads"], one["device"], one["numpy"]) for one in told] == [("1", None, False)] * 2


def test_processes_begin_with_their_first_job_and_end_with_the_block() -> None:
    with Local(8) as pool:
        assert not pool._workers
        pool.submit(abs, -1).result()
        (worker,) = pool._workers
    assert worker.process.exitcode == 0


def test_devices_are_dealt_out_one_a_worker(tmp_path: Path) -> None:
    with Local(devices=["cuda:0", "cuda:1"]) as pool:
        told = [future.result() for future in [pool.submit(jobs.meet, tmp_path, 2) for _ in range(2)]]
    assert {one["device"] for one in told} == {"cuda:0", "cuda:1"}


def test_sizes() -> None:
    assert Local().size == min(cores(), 8) >= 1 and Local(3).size == 3 and Local(devices=["a", "b", "c"]).size == 3
    with pytest.raises(ProblemError, match="--processes"):
        Local(0)


def test_of_many_cores_eight_are_taken_unless_more_are_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(executor, "cores", lambda: 64)
    assert Local().size == 8 and Local(48).size == 48


def test_workers_run_at_a_lower_priority() -> None:
    """Than this process, which keeps its own: a desktop stays usable."""
    mine = os.nice(0)
    with Local(1) as pool:
        assert pool.submit(os.nice, 0).result() == min(mine + 5, 19)
    assert os.nice(0) == mine


def test_an_exception_reaches_the_caller_with_the_place_where_it_was_raised() -> None:
    with Local(1) as pool:
        with pytest.raises(ZeroDivisionError, match="boom") as caught:
            pool.submit(jobs.fail, ZeroDivisionError, "boom").result()
        assert "jobs.py" in caught.value.__notes__[0]
        with pytest.raises(RuntimeError, match="Awkward: this and that"):
            pool.submit(jobs.fail, jobs.Awkward, "this", "that").result()
        with pytest.raises(Exception, match=r"[Pp]ickle"):
            pool.submit(jobs.lambdas).result()
        with pytest.raises(Exception, match=r"[Pp]ickle"):
            pool.submit(lambda: None).result()
        with pytest.raises(EOFError, match="mine"):  # its own, which is no sign of a worker that died
            pool.submit(jobs.fail, EOFError, "mine").result()
        assert pool.submit(abs, -1).result() == 1 and len(pool._workers) == 1


def test_a_job_whose_process_dies_is_tried_again_elsewhere(tmp_path: Path) -> None:
    with Local(1, retries=2) as pool:
        assert pool.submit(jobs.die, tmp_path, 2).result() == "lived"


def test_one_that_kills_every_process_fails_alone(tmp_path: Path) -> None:
    with Local(2, retries=1) as pool:
        lost, fine = pool.submit(jobs.die, tmp_path, 99), pool.submit(abs, -1)
        with pytest.raises(WorkerDied, match="exit code -9"):
            lost.result()
        assert fine.result() == 1 and pool.submit(abs, -2).result() == 2
    assert len(list(tmp_path.iterdir())) == 2


def test_a_worker_killed_while_idle_is_replaced() -> None:
    with Local(1) as pool:
        first = pool.submit(os.getpid).result()
        os.kill(first, signal.SIGKILL)
        pool._workers[0].process.join()
        assert pool.submit(os.getpid).result() != first


def test_a_deadline_stops_what_runs_and_begins_nothing(tmp_path: Path) -> None:
    with Local(1, end=time.time() + 3) as pool:
        first, second = pool.submit(jobs.train, tmp_path / "a"), pool.submit(abs, -1)
        with pytest.raises(Stopped):
            first.result()
        with pytest.raises(Stopped, match="time was up"):
            second.result()
    assert int((tmp_path / "a").read_text()) > 0


def test_leaving_by_an_exception_lets_jobs_save_themselves_and_cancels_the_rest(tmp_path: Path) -> None:
    begin = time.monotonic()
    with pytest.raises(KeyboardInterrupt), Local(1) as pool:
        runs, waits = pool.submit(jobs.train, tmp_path / "a"), pool.submit(abs, -1)
        until((tmp_path / "a.pid").exists)
        raise KeyboardInterrupt
    assert isinstance(runs.exception(), Stopped) and waits.cancelled()
    assert (tmp_path / "a").exists() and gone(tmp_path / "a") and time.monotonic() - begin < 25


def test_a_job_that_never_asks_is_killed_after_the_grace(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="enough"), Local(1, grace=0.2) as pool:
        runs = pool.submit(jobs.sleep, tmp_path / "a")
        until((tmp_path / "a.pid").exists)
        raise ValueError("enough")
    assert isinstance(runs.exception(), Stopped) and gone(tmp_path / "a")


SCRIPT = """
import sys
from pathlib import Path
from surrogate.kit.executor import Local
from tests.helpers.surrogate import kit_jobs as jobs
print("begun")
folder = Path(sys.argv[1])
with Local(2, grace=float(sys.argv[2])) as pool:
    futures = [pool.submit(getattr(jobs, name), folder / name) for name in sys.argv[3:]]
    [future.result() for future in futures]
"""


def started(folder: Path, grace: float, *names: str) -> subprocess.Popen[str]:
    """A plain script, without the usual guard, whose workers are at it."""
    (folder / "script.py").write_text(SCRIPT)
    process = subprocess.Popen(
        [sys.executable, "script.py", str(folder), str(grace), *names],
        cwd=folder, env={**os.environ, "PYTHONPATH": str(ROOT)}, start_new_session=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    until(lambda: all((folder / f"{name}.pid").exists() for name in names) or process.poll() is not None)
    return process


def test_ctrl_c_is_heard_once_and_saves_what_runs(tmp_path: Path) -> None:
    process = started(tmp_path, 30, "train")
    os.killpg(process.pid, signal.SIGINT)
    out, told = process.communicate(timeout=60)
    assert process.returncode == -signal.SIGINT and told.count("Traceback") == 1 and out == "begun\n"
    assert (tmp_path / "train").exists() and gone(tmp_path / "train")


def test_workers_do_not_outlive_a_parent_that_is_killed(tmp_path: Path) -> None:
    """One saves itself at once; one that never asks ends after the grace."""
    process = started(tmp_path, 0.5, "train", "sleep")
    process.kill()
    process.communicate()
    until(lambda: gone(tmp_path / "train") and gone(tmp_path / "sleep"))
    assert (tmp_path / "train").exists()


def test_a_script_that_forgets_to_shut_down_ends() -> None:
    code = "from surrogate.kit.executor import Local\nprint(Local(1).submit(abs, -1).result())"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stdout, done.stderr) == (0, "1\n", "")


def test_outside_a_worker_nothing_stops_a_job() -> None:
    assert not stopping() and device() is None


def test_the_executors_load_nothing_heavy() -> None:
    code = "import sys\nimport surrogate.kit.executor\nassert not {'numpy', 'torch', 'ray', 'scipy'} & set(sys.modules)"
    done = fresh("-c", code)
    assert done.returncode == 0, done.stderr
