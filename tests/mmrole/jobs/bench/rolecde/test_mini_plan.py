import pytest

from mmrole.core.errors import InputError, UsageError
from mmrole.jobs.bench.rolecde.mini_plan import MiniPlan, mini_work


def test_without_a_known_role_option_there_is_nothing_to_teach(personas):
    with pytest.raises(InputError, match="of 9 dilemmas none has a role option that is known for sure"):
        mini_work(MiniPlan(personas=personas))
    assert mini_work(MiniPlan(personas=personas, include_doubtful=True)).dilemmas == 9


def test_what_is_asked_and_what_is_left_out_are_all_dilemmas(personas, gold):
    gold.write_text("id,level,role_option\nann,easy,B\nann,mid,A\n")
    work = mini_work(MiniPlan(personas=personas, role_option_files=[gold], levels=("easy", "mid")))
    assert (work.dilemmas, len(work.items), len(work.left_out)) == (2, 8, 4)


@pytest.mark.parametrize("more", [{"samples": 0}, {"temperature": 2.5}, {"temperature": -1.0}])
def test_numbers_that_make_no_sense(more):
    with pytest.raises(UsageError, match="make"):
        MiniPlan(**more)
