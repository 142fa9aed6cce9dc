import json

import pytest

from mmrole.core.errors import InputError, UsageError
from mmrole.jobs.bench.rolecde import build, construct, estimate_construct
from mmrole.jobs.bench.rolecde.construct import constructed_personas
from mmrole.llm.cost import Price, Prices

RESULTS = ("personas.jsonl", "rejected.jsonl", "report.json", "seeds.jsonl", "sheets/annotator-1.csv")


@pytest.fixture
def seeds(tmp_path):
    path = tmp_path / "seeds.txt"
    path.write_text("A captain of a ferry\nA keeper of a light\n")
    return path


def test_seeds_become_personas_that_build_reads(seeds, script, tmp_path):
    author = script.author()
    result = construct(seeds, author.model, out=tmp_path / "made")
    assert author.answered.total() == 2 * 5
    assert result.complete
    assert result.report["steps"]["dilemmas"] == {"asked": 2, "ok": 2}
    assert [path.name for path in result.sheets] == [f"annotator-{number}.csv" for number in range(1, 5)]
    manifest = json.loads((tmp_path / "made" / "manifest.json").read_text())
    assert manifest["counts"]["done"] == 10
    assert manifest["seeds"]["personas"] == 2
    assert set(manifest["files"]) == {"personas.jsonl", "rejected.jsonl", "report.json"}
    built = build(tmp_path / "run", personas=tmp_path / "made" / "personas.jsonl")
    # the data say which option is the role's, and under which letter is by chance: no doubt
    assert (built.counts["sources"], built.counts["flagged"]) == ({"data": 6}, 0)
    options = [
        each.options for persona in constructed_personas(tmp_path / "made") for each in persona.dilemmas.values()
    ]
    assert {frozenset(each.values()) for each in options} == {frozenset({"Children first.", "Those who paid."})}


def test_sheets_do_not_say_which_option_is_the_roles_and_hold_no_formula(seeds, script, tmp_path):
    construct(seeds, script.author().model, out=tmp_path / "made", sheets=1)
    text = (tmp_path / "made" / "sheets" / "annotator-1.csv").read_text("utf-8-sig")
    assert text.splitlines()[0].endswith("option_A,option_B,valid,role_option,salience,remark")
    assert text.count(",,,,\n") == 6
    assert not (tmp_path / "made" / "sheets" / "annotator-2.csv").exists()


def test_interrupted_at_any_call_it_ends_with_the_same_bytes(seeds, script, tmp_path):
    whole = tmp_path / "whole"
    construct(seeds, script.author().model, out=whole)
    for end in range(10):
        out, author = tmp_path / str(end), script.author(end=end)
        with pytest.raises(KeyboardInterrupt):
            construct(seeds, author.model, out=out)
        assert not (out / "personas.jsonl").exists()
        construct(seeds, author.model, out=out)
        # of what was in flight at the interruption nothing is stored; everything else was asked once
        assert set(author.answered.values()) <= {1, 2}
        for name in RESULTS:
            assert (out / name).read_bytes() == (whole / name).read_bytes()
        before = author.answered.total()
        construct(seeds, author.model, out=out)
        assert author.answered.total() == before


def test_a_cost_limit_leaves_earlier_files_as_they_were(seeds, script, tmp_path):
    out = tmp_path / "made"
    construct(seeds, script.author().model, out=out)
    before = {name: (out / name).read_bytes() for name in RESULTS[:3]}
    seeds.write_text("A smith\nA baker\nA nurse\n")
    prices = Prices(currency="EUR", models={"author": Price(input_per_million=1e6, output_per_million=1e6)})
    result = construct(seeds, script.author().model, out=out, prices=prices, max_cost=0.0)
    assert result.report["counts"] == {"seeds": 3, "personas": 0, "rejected": 0, "failed": 0, "pending": 3}
    assert {name: (out / name).read_bytes() for name in before} == before
    assert construct(seeds, script.author().model, out=out).report["counts"]["personas"] == 3


def test_what_cannot_be_used_is_listed_with_its_step_and_a_filled_sheet_is_left_alone(seeds, script, tmp_path):
    out = tmp_path / "made"

    def says(text, number):
        return (
            "I cannot help with that."
            if "keeper" in text and '"role_name"' in text
            else script.author().says(text, number)
        )

    result = construct(seeds, script.author(says=says).model, out=out)
    assert not result.complete
    rejected = [json.loads(line) for line in (out / "rejected.jsonl").read_text().splitlines()]
    assert [(each["draft"], each["step"], each["status"]) for each in rejected] == [("2", "profile", "refusal")]
    assert json.loads((out / "report.json").read_text())["rejected"] == {"profile": {"refusal": 1}}
    (out / "sheets" / "annotator-2.csv").write_text("filled")
    again = construct(seeds, script.author(says=says).model, out=out)
    assert [path.name for path in again.kept] == ["annotator-2.csv"]
    assert (out / "sheets" / "annotator-2.csv").read_text() == "filled"


def test_nothing_but_broken_replies_gives_no_sheet_and_no_traceback(seeds, script, tmp_path):
    for number, reply in enumerate(
        ["[" * 3000, "\x00", '{"role_name": "\\ud800"}', "null", '{"role_name": NaN}', "[]"]
    ):
        result = construct(seeds, script.author(says=lambda *_, reply=reply: reply).model, out=tmp_path / str(number))
        assert (result.report["counts"]["rejected"], list(result.sheets)) == (2, [])
        with pytest.raises(InputError, match="no seed became a persona"):
            constructed_personas(tmp_path / str(number))


def test_an_estimate_asks_nobody_and_writes_nothing(script, tmp_path):
    author = script.author()
    found = estimate_construct("example", author.model, out=tmp_path / "made")
    assert {name: each.calls for name, each in found.items()} == {"profile": 4}  # the packaged personas
    assert author.answered.total() == 0
    assert not (tmp_path / "made").exists()


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"sheets": 27}, "27 sheets make no sense"),
        ({"sheets": -1}, "-1 sheets"),
        ({"temperature": 3.0}, "temperature of 3.0"),
    ],
)
def test_numbers_that_make_no_sense(seeds, script, tmp_path, more, message):
    with pytest.raises(UsageError, match=message):
        construct(seeds, script.author().model, out=tmp_path / "made", **more)
    assert not (tmp_path / "made").exists()


def test_another_author_is_refused(seeds, script, tmp_path):
    construct(seeds, script.author().model, out=tmp_path / "made")
    with pytest.raises(UsageError, match="holds the replies of the author author, not agent: choose another folder"):
        construct(seeds, script.agent().model, out=tmp_path / "made")
