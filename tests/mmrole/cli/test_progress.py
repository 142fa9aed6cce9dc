from types import SimpleNamespace

from mmrole.cli.progress import progress_of


def test_the_end_is_told_once(capsys):
    with progress_of("votes") as progress:
        for finished in (1, 2, 2):
            progress.show(SimpleNamespace(total=2, finished=finished, failed=0, reused=0))
    assert capsys.readouterr().err.count("2/2 votes") == 1
