from __future__ import annotations

from mmrole.llm import Repair
from mmrole.llm.chat import assistant, user


def test_the_request_goes_on_in_its_own_language(request_of):
    repair = Repair(english="Again.", chinese="再来。")
    english = repair.request(request_of("How does she feel?"), "Well...")
    assert english.messages == (user("How does she feel?"), assistant("Well..."), user("Again."))
    assert repair.request(request_of("她的情绪是什么？"), "嗯").messages[-1] == user("再来。")


def test_parameters_and_round_stay(request_of):
    request = request_of("x").in_round(3)
    repaired = Repair().request(request, "y")
    assert (repaired.round, repaired.parameters) == (3, request.parameters)
