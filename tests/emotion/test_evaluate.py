import json
import math
from collections import Counter, defaultdict
from itertools import combinations

import numpy as np
import pytest

from emotion.evaluate import score
from emotion.votes import count_votes
from mmrole.core.dialogue import follows, played_turns
from mmrole.core.errors import InputError, UsageError
from mmrole.core.labels import label_set

CPED = label_set("cped-13")
SENTIMENT = {label: s for s, labels in CPED.sentiments.items() for label in labels}


def plain_scores(dialogues, votes):
    """The definitions once more, in plain loops over objects: {(metric, part, formula): (value, n)}."""
    bags = defaultdict(list)
    for vote in votes:
        bags[vote["utterance_id"], vote["stream"]].append(vote["label"])

    def fused(key):
        bag = bags.get(key, [])
        valid = [x for x in bag if x in SENTIMENT]
        if not valid or 2 * len(valid) < len(bag):
            return None
        (label, most), *others = Counter(valid).most_common()
        return label if 10 * most >= 7 * len(valid) and not (others and others[0][1] == most) else None

    def known(utterance):
        return utterance.emotion if utterance.emotion in SENTIMENT else None

    sets, units, entropies = [], [], defaultdict(list)
    moves = {side: defaultdict(Counter) for side in ("intra g", "intra p", "inter g", "inter p")}
    for dialogue in dialogues:
        if len(dialogue.speakers) != 2:
            continue
        for before, turn in played_turns(dialogue):
            ids = sorted({u for u, _ in bags if u.rpartition("/")[0] == turn.turn_id})
            if not ids:
                continue
            labels = {int(i.rpartition("/")[2]): fused((i, "all")) for i in ids}
            sets.append(({known(u) for u in turn.utterances} - {None}, set(labels.values()) - {None}))
            for i in ids:
                units.append([fused((i, stream)) for stream in ("face", "body", "speech")])
                for stream in ("all", "face", "body", "speech"):
                    valid = Counter(x for x in bags.get((i, stream), []) if x in SENTIMENT)
                    v = valid.total()
                    if v >= 2:
                        entropies[stream].append(
                            -sum(c / v * math.log(c / v) for c in valid.values()) / math.log(min(v, 13))
                        )
            for a, b in zip(turn.utterances, turn.utterances[1:], strict=False):
                if follows(a, b) and known(a) and known(b):
                    moves["intra g"][turn.role][known(a), known(b)] += 1
            own = turn.utterances
            for k in labels:
                # where the ids of the turn have a gap, the response's chain is broken as well
                whole = k + 1 >= len(own) or follows(own[k], own[k + 1])
                if labels[k] and labels.get(k + 1) and whole:
                    moves["intra p"][turn.role][labels[k], labels[k + 1]] += 1
            last, first = before.utterances[-1], turn.utterances[0]
            if follows(last, first) and known(last):
                if known(first):
                    moves["inter g"][turn.role][known(last), known(first)] += 1
                if labels.get(0):
                    moves["inter p"][turn.role][known(last), labels[0]] += 1

    def f1(to):
        kept = [({to(x) for x in g}, {to(x) for x in p}) for g, p in sets if g and p]
        hits, size = sum(len(g & p) for g, p in kept), sum(len(g) + len(p) for g, p in kept)
        return (2 * hits / size if size else None), len(kept)

    def alpha(to):
        kept = [[to(x) for x in unit if x] for unit in units]
        kept = [unit for unit in kept if len(unit) > 1]
        values = Counter(x for unit in kept for x in unit)
        n = values.total()
        differing = sum(sum(a != b for a in unit for b in unit) / (len(unit) - 1) for unit in kept)
        chance = sum(values[a] * values[b] for a in values for b in values if a != b) / (n - 1) if n > 1 else 0
        return (1 - differing / chance if chance else None), len(kept)

    def distance(a, b):
        cells = {*a, *b}
        return math.sqrt(max(0, 1 - sum(math.sqrt(a[c] / a.total() * b[c] / b.total()) for c in cells)))

    out = {("mec", "lower"): f1(str), ("mec", "upper"): f1(SENTIMENT.get)}
    out |= {("cec", "lower"): alpha(str), ("cec", "upper"): alpha(SENTIMENT.get)}
    out |= {("ed", stream): (np.mean(values), len(values)) for stream, values in entropies.items()}
    for kind in ("intra", "inter"):
        g, p = moves[f"{kind} g"], moves[f"{kind} p"]
        roles = [r for r in g if g[r].total() >= 10 and p[r].total() >= 10]
        out["edd", kind] = (np.mean([1 - distance(p[r], g[r]) for r in roles]) if roles else None), len(roles)
        pairs = [distance(p[r], p[s]) - distance(g[r], g[s]) for r, s in combinations(roles, 2)]
        out["rcd", kind] = (np.mean(pairs) if pairs else None), len(pairs)
    return out


def compare(report, wanted):
    for (metric, part), (value, n) in wanted.items():
        found = report[metric, part]
        assert found.value == (None if value is None else pytest.approx(value, abs=1e-9)), (metric, part)
        assert found.n == n, (metric, part)


def test_equal_to_plain_loops(small):
    dialogues, votes = small
    compare(score(dialogues, votes, bootstrap=0), plain_scores(dialogues, votes))


def test_equal_to_plain_loops_with_enough_transitions(large):
    dialogues, votes = large
    wanted = plain_scores(dialogues, votes)
    assert wanted["edd", "intra"][1] == wanted["edd", "inter"][1] == 4
    compare(score(dialogues, votes, bootstrap=20), wanted)


def test_an_agent_that_answers_with_the_ground_truth_is_best_exactly(large):
    dialogues, _ = large
    neighbours = [pair for d in dialogues for pair in zip(d.utterances, d.utterances[1:], strict=False)]
    assert not all(follows(a, b) for a, b in neighbours)  # gaps in the ids change nothing
    votes = [
        {"utterance_id": f"{turn.turn_id}/{k}", "stream": "all", "expert": "e", "round": r, "label": u.emotion}
        for d in dialogues for _, turn in played_turns(d) for k, u in enumerate(turn.utterances) for r in (0, 1)
    ]  # fmt: skip
    report = score(dialogues, votes, bootstrap=50)
    for metric, part, best in (("mec", "lower", 1), ("mec", "upper", 1), ("ed", "all", 0), ("edd", "intra", 1),
                               ("edd", "inter", 1), ("rcd", "intra", 0), ("rcd", "inter", 0)):  # fmt: skip
        found = report[metric, part]
        assert found.value == best
        assert found.ci == (best, best)


def test_order_and_kind_of_votes_do_not_matter(small):
    dialogues, votes = small
    first = score(dialogues, votes, bootstrap=10).scores
    assert score(dialogues, votes[::-1], bootstrap=10).scores == first
    assert score(dialogues, count_votes(votes), bootstrap=10).scores == first


def test_intervals(large):
    dialogues, votes = large
    report = score(dialogues, votes, bootstrap=200)
    for found in report.scores:
        low, high = found.ci
        assert low < high
        if found.metric in ("mec", "cec", "ed"):
            assert low <= found.value <= high
        else:
            assert "need not hold the value" in found.details["ci_note"]
    assert score(dialogues, votes, bootstrap=200).scores == report.scores
    assert score(dialogues, votes, bootstrap=200, seed=1)["mec", "lower"].ci != report["mec", "lower"].ci
    assert all(found.ci is None for found in score(dialogues, votes, bootstrap=0).scores)


def test_exclusions_are_counted(small):
    dialogues, votes = small
    report = score(dialogues, votes, bootstrap=0)
    mec = report["mec", "lower"]
    turns = {t.turn_id for d in dialogues for t in d.turns}
    answered = {v["utterance_id"].rpartition("/")[0] for v in votes}
    assert answered <= turns
    names = ("all_ambiguous", "no_truth", "not_two_speakers", "no_predecessor", "no_role")
    assert mec.n + sum(mec.excluded[name] for name in names) == len(answered)
    ed = report["ed", "all"]
    mine = [v for v in votes if v["stream"] == "all"]
    outside = sum(ed.excluded[name] for name in ("not_two_speakers", "no_predecessor", "no_role"))
    assert ed.n + ed.excluded["fewer_than_two_votes"] + outside >= len({v["utterance_id"] for v in mine})
    assert ed.excluded["invalid_votes"] <= sum(v["label"] == "banana" for v in mine)


def test_invalid_votes_are_counted_and_change_nothing_else(large):
    dialogues, votes = large
    votes = [v for v in votes if v["label"] in SENTIMENT]
    report = score(dialogues, votes, bootstrap=0)
    played = {v["utterance_id"] for v in votes} & {
        report.responses.counts.utterances[u] for u in report.responses.utterance.tolist()
    }
    three = [
        {"utterance_id": u, "stream": "all", "expert": "new", "round": 0, "label": "bewildered"}
        for u in sorted(played)[:3]
    ]
    more = score(dialogues, [*votes, *three], bootstrap=0)
    assert more["ed", "all"].excluded["invalid_votes"] == 3
    assert more["ed", "all"].value == report["ed", "all"].value


def test_options_stand_in_the_definitions(large):
    dialogues, votes = large
    report = score(dialogues, votes, bootstrap=0, threshold=0.5, average="macro", empty="miss", drop_self_loops=True,
                   kinds=("intra", "inter", "same_speaker"), min_transitions=5)  # fmt: skip
    assert report["mec", "lower"].definition == (
        "mec/set-macro-f1/v1 empty=miss labels=cped-13 threshold=1/2 min_valid=1/2"
    )
    assert "self_loops=dropped" in report["edd", "same_speaker"].definition
    assert "min_transitions=5" in report["rcd", "intra"].definition
    pooled = score(dialogues, [v for v in votes if v["stream"] != "all"], bootstrap=0)
    assert "fused=pooled" in pooled["mec", "lower"].definition


def test_equalised_matrices_have_no_interval(large):
    dialogues, votes = large
    report = score(dialogues, votes, bootstrap=20, equalise=True)
    assert report["edd", "intra"].ci is None
    assert report["mec", "lower"].ci is not None
    assert "equalise=0" in report["edd", "intra"].definition


def test_text_is_a_modality_when_it_was_scored(small):
    dialogues, votes = small
    text = [{**v, "stream": "text"} for v in votes if v["stream"] == "face"]
    report = score(dialogues, [*votes, *text], bootstrap=0)
    assert "raters=face+body+speech+text" in report["cec", "lower"].definition
    assert report["ed", "text"].value == report["ed", "face"].value


def test_label_sets_and_maps(small):
    dialogues, votes = small
    meld = score(dialogues, votes, bootstrap=0, labels="meld-7")
    assert meld["mec", "upper"].reason == "no_sentiment_map"
    assert meld["cec", "upper"].reason == "no_sentiment_map"
    with pytest.raises(UsageError, match="iemocap-6-to-4 maps to iemocap-4, but the scores are of cped-13"):
        score(dialogues, votes, truth_map="iemocap-6-to-4")
    mapped = score(dialogues, votes, bootstrap=0, labels="iemocap-4", truth_map="iemocap-6-to-4")
    assert mapped["mec", "lower"].definition.endswith("truth_map=iemocap-6-to-4")


def test_judgements(small):
    dialogues, votes = small
    played = next(t for d in dialogues if len(d.speakers) == 2 for _, t in played_turns(d))
    opening = dialogues[0].turns[0]  # nobody produces it
    judgements = [
        {
            "utterance_id": turn.turn_id,
            "aspect": "exp",
            "judge": "j",
            side: [{"quote": "q", "strength": 1}],
            "rating": 2,
        }
        for turn, side in ((played, "supporting"), (opening, "contradicting"))
    ]
    report = score(dialogues, votes, judgements=judgements, bootstrap=5)
    assert [s.metric for s in report.scores[-3:]] == ["exp", "rel", "cha"]
    exp = report["exp", "evidence"]
    assert (exp.value, exp.n) == (5, 1)
    assert sum(exp.excluded.get(reason, 0) for reason in ("no_predecessor", "not_two_speakers")) == 1
    assert report["rel", "evidence"].reason == "no_samples"
    # 3 + 1 - 0, and the judge's own rating
    for method, value in (("graded", 4), ("subjective", 2)):
        other = score(dialogues, votes, judgements=judgements, bootstrap=0, rc_method=method)
        assert other["exp", method].value == value


def test_other_measures_of_cec_and_ed(small):
    report = score(*small, bootstrap=0, cec_measure="pairwise", ed_measure="alpha")
    plain = score(*small, bootstrap=0)
    assert report["cec", "lower"].value == plain["cec", "lower"].details["pairwise"]
    assert report["ed", "all"].definition.startswith("ed/one-minus-nominal-alpha/v1")
    assert report["ed", "all"].value != plain["ed", "all"].value
    assert report["mec", "lower"] == plain["mec", "lower"]


def test_records_may_be_files(small, tmp_path):
    dialogues, votes = small
    turn = next(t for d in dialogues if len(d.speakers) == 2 for _, t in played_turns(d))
    judged = {"utterance_id": turn.turn_id, "aspect": "exp", "judge": "j", "supporting": [{"quote": "q"}]}
    files = {"votes": votes, "responses": [{"utterance_id": turn.turn_id, "utterances": None}], "judgements": [judged]}
    for name, records in files.items():
        (tmp_path / name).write_text("\n".join(map(json.dumps, records)))
    paths = {name: tmp_path / name for name in files}
    report = score(dialogues, paths["votes"], str(paths["responses"]), paths["judgements"], bootstrap=5)
    assert report.scores == score(dialogues, *files.values(), bootstrap=5).scores


@pytest.mark.parametrize(
    ("name", "record", "message"),
    [
        ("votes", {"utterance_id": "no/0", "stream": "all", "expert": "e", "round": 0, "label": None}, "is in no dialogue"),
        ("responses", {"utterance_id": "no"}, "no turn starts with utterance id 'no'"),
        ("responses", {"utterances": []}, "a response is an object"),
        ("judgements", {"utterance_id": "no", "aspect": "exp", "judge": "j"}, "no turn starts with utterance id 'no'"),
        ("judgements", {"utterance_id": "no"}, "field aspect"),
    ],
)  # fmt: skip
def test_what_is_wrong_in_a_file_names_file_and_line(small, tmp_path, name, record, message):
    dialogues, votes = small
    (tmp_path / name).write_text(f"\n{json.dumps(record)}\n")
    given = {"votes": votes, "responses": None, "judgements": None, name: tmp_path / name}
    with pytest.raises(InputError, match=rf"/{name}, line 2: .*{message}"):
        score(dialogues, **given)


@pytest.mark.parametrize(
    ("options", "message"),
    [({"bootstrap": -1}, "draws from 0, not -1"), ({"threshold": 0}, "threshold has to be above 0"),
     ({"min_valid": 2}, "min_valid has to be above 0 and at most 1")],
)  # fmt: skip
def test_usage(small, options, message):
    with pytest.raises(UsageError, match=message):
        score(*small, **options)


def test_votes_on_strangers_name_their_place(small):
    dialogues, votes = small
    bad = [*votes, {**votes[0], "utterance_id": "elsewhere/0"}]
    with pytest.raises(
        InputError, match=rf"^votes\.jsonl, line {len(bad)}: utterance id 'elsewhere/0' is in no dialogue"
    ):
        score(dialogues, bad, place=lambda number: f"votes.jsonl, line {number + 1}")
