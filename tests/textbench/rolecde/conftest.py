"""Two small personas, one of them with reversed options, and what an agent may say."""

import json

import pytest

from textbench.rolecde.personas import persona_of
from textbench.rolecde.plan import RoleCDEPlan


def persona_record(persona_id="ann", *, language="en", reversed_options=False, **changed):
    """Easy, mid, hard: the role's option says "keep", the other one "share"; A is alignment unless reversed."""
    keep, share = ("keep the map", "share the map") if language == "en" else ("留下地图", "交出地图")
    first, second = (keep, share) if reversed_options else (share, keep)
    record = {
        "id": persona_id,
        "original_description": "A sailor with a map",
        "expanded_role": "Ann is a sailor who owns one map." if language == "en" else "王五是有一张地图的水手。",
        "scenario": "The crew has lost its way." if language == "en" else "船队迷了路。",
        "role_category": "C4",
        "role_category_name": "Tech & Expert",
        "traditional_values": ["Help others.", "Be fair.", "Be honest."],
        "personal_value": "Keep what is yours.",
        "dilemmas": {
            level: {
                "difficulty": level,
                "description": f"Decision {level}.",
                "option_A": f"{first}, {level}",
                "option_B": f"{second}, {level}",
            }
            for level in ("easy", "mid", "hard")
        },
    }
    return record | changed


def plan_of(personas=("ann",), **changed):
    return RoleCDEPlan(**{"personas": tuple(personas), "personas_sha256": "0"} | changed)


def answer_record(
    text, *, persona="ann", level="easy", order="AB", run=0, status="ok", finish_reason="stop", refusal=None
):
    """A line of answers.jsonl."""
    reply = {"text": text, "finish_reason": finish_reason, "refusal": refusal, "model": "m", "usage": None}
    return {
        "persona": persona, "level": level, "order": order, "round": run, "status": status, "reason": None,
        "replies": [] if text is None and status == "error" else [reply],
    }  # fmt: skip


@pytest.fixture
def make():
    """The functions above, for test modules, which cannot import one another."""

    class Make:
        record = staticmethod(persona_record)
        plan = staticmethod(plan_of)
        answer = staticmethod(answer_record)

        @staticmethod
        def persona(*args, **changed):
            return persona_of(persona_record(*args, **changed), "here")

        @staticmethod
        def folder(path, *records):
            path.mkdir(exist_ok=True)
            for record in records:
                (path / f"persona_{record['id']}.json").write_text(json.dumps(record), "utf-8")
            return path

    return Make
