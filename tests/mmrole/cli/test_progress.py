from types import SimpleNamespace

from mmrole.cli.progress import progress_of


def test_the_end_is_told_once(capsys):
    with progress_of("votes") as progress:
        for finished in (1, 2, 2):
            progress.show(SimpleNamespace(total=2, finished=finished, failed=0, reused=0))
    assert capsys.readouterr().err.count("2/2 votes") == 1


def test_rounds_of_the_same_length_are_told_apart(capsys):
    with progress_of("replies") as progress:
        for part in ("", "attempt 2 of at most 13", "attempt 3 of at most 13"):
            progress.show(SimpleNamespace(total=135, finished=135, failed=0, reused=0, part=part))
    lines = capsys.readouterr().err.splitlines()
    starts = [line.split(",")[0] for line in lines]
    assert starts == [
        "135/135 replies", "135/135 replies (attempt 2 of at most 13)", "135/135 replies (attempt 3 of at most 13)",
    ]  # fmt: skip
