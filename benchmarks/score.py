"""What `mmrole score` costs: CPU and memory of the command on a million utterances, its growth, and plain loops beside it.

    python benchmarks/score.py [--utterances 1000000]

Makes its own data: dialogues of twenty utterances in turns of two, 200 roles, two votes on every utterance of a response. The
command runs on a quarter, half and all of it with 1,000 draws. Reading is measured apart, in a process of its own. The plain
loops are the definitions once more with dictionaries, on a tenth of the data, as a draw by recomputing would be done.
Targets for a million utterances: 20 s of CPU beyond reading, 1.5 GB, reading the table in 10 s.
"""

from __future__ import annotations

import argparse
import math
import os
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from itertools import combinations, pairwise
from pathlib import Path

import mmrole
from emotion.evaluate import score_with
from emotion.options import ScoreOptions
from emotion.votes import count_votes
from mmrole.core.labels import label_set
from mmrole.core.records import JsonLines

CPED = label_set("cped-13")
EMOTIONS = CPED.labels
SENTIMENT = {label: sentiment for sentiment, labels in CPED.sentiments.items() for label in labels}
HEADER = (
    "TV_ID,Dialogue_ID,Utterance_ID,Speaker,Gender,Age,Neuroticism,Extraversion,Openness,Agreeableness,Conscientiousness,Scene,"
    "FacePosition_LU,FacePosition_RD,Sentiment,Emotion,DA,Utterance"
)
ATTRIBUTES = "female,young,low,high,high,high,high,home,0_0,0_0"
PER_DIALOGUE, ROLES, DRAWS = 20, 200, 1000
TARGET_CPU_S, TARGET_GB, TARGET_READING_S = 20.0, 1.5, 10.0


def make(folder: Path, utterances: int) -> Path:
    rng = random.Random(1)
    roles = [f"role{number:03d}" for number in range(ROLES)]
    weights = range(1, len(EMOTIONS) + 1)
    folder.mkdir()
    with (folder / "dialogues.csv").open("w") as table, (folder / "votes.jsonl").open("w") as votes:
        table.write(HEADER + "\n")
        for dialogue in range(utterances // PER_DIALOGUE):
            pair = rng.sample(roles, 2)
            truth = rng.choices(EMOTIONS, weights, k=PER_DIALOGUE)
            others = rng.choices(EMOTIONS, weights, k=2 * PER_DIALOGUE)
            for u, label in enumerate(truth):
                table.write(
                    f"1,1_{dialogue},1_{dialogue}_{u:03d},{pair[u // 2 % 2]},{ATTRIBUTES},{SENTIMENT[label]},{label},other,words\n"
                )
                if u < 2:  # nobody produces the first turn
                    continue
                # both votes agree with the truth, both are another label, or they differ
                first, second = (label, label) if u % 3 else (others[u], others[u + PER_DIALOGUE * (u % 2)])
                for number, vote in enumerate((first, second)):
                    votes.write(
                        f'{{"utterance_id": "1_{dialogue}_{u - u % 2:03d}/{u % 2}", "stream": "all", "expert": "e", '
                        f'"round": {number}, "label": "{vote}"}}\n'
                    )
    return folder


def command(folder: Path, draws: int = DRAWS) -> tuple[float, float]:
    """CPU seconds and peak gigabytes of the whole command."""
    arguments = [
        *(
            sys.executable,
            "-m",
            "mmrole",
            "score",
            "--dialogues",
            folder / "dialogues.csv",
            "--votes",
            folder / "votes.jsonl",
        ),
        *("--out", folder / f"out{draws}", "--bootstrap", str(draws)),
    ]
    process = subprocess.Popen(list(map(str, arguments)), stdout=subprocess.DEVNULL)
    _, status, used = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    assert process.returncode == 0
    return used.ru_utime + used.ru_stime, used.ru_maxrss * 1024 / 1e9


def reading(folder: Path) -> list[float]:
    """CPU seconds of reading the dialogues and of reading and counting the votes, in a process of their own."""
    code = (
        "import sys, time, mmrole; from emotion.votes import count_votes; from mmrole.core.records import JsonLines\n"
        "began = time.process_time(); d = mmrole.read_dialogues(sys.argv[1]); middle = time.process_time()\n"
        "v = count_votes(JsonLines(sys.argv[2])); print(middle - began, time.process_time() - middle)"
    )
    files = [folder / "dialogues.csv", folder / "votes.jsonl"]
    run = subprocess.run([sys.executable, "-c", code, *map(str, files)], capture_output=True, text=True, check=True)
    return [float(word) for word in run.stdout.split()]


def plain(dialogues: list[mmrole.core.dialogue.Dialogue], bags: dict[str, list[str]]) -> tuple[float, ...]:
    """MEC lower and upper, ED, EDD and RCD of both kinds, in loops over objects."""
    truth, predicted, entropies = [], [], []
    moves = {key: defaultdict(Counter) for key in ("intra g", "intra p", "inter g", "inter p")}
    for dialogue in dialogues:
        turns = dialogue.turns
        for before, turn in pairwise(turns):
            labels = []
            while (bag := bags.get(f"{turn.turn_id}/{len(labels)}")) is not None:
                (label, most), *_ = Counter(bag).most_common()
                labels.append(label if 10 * most >= 7 * len(bag) else None)
                n = len(bag)
                entropies.append(-sum(c / n * math.log(c / n) for c in Counter(bag).values()) / math.log(min(n, 13)))
            truth.append({u.emotion for u in turn.utterances})
            predicted.append({label for label in labels if label})
            own = [u.emotion for u in turn.utterances]
            moves["intra g"][turn.role].update(pairwise(own))
            moves["intra p"][turn.role].update((a, b) for a, b in pairwise(labels) if a and b)
            moves["inter g"][turn.role][before.utterances[-1].emotion, own[0]] += 1
            if labels and labels[0]:
                moves["inter p"][turn.role][before.utterances[-1].emotion, labels[0]] += 1
    out = []
    for to in (lambda label: label, SENTIMENT.__getitem__):
        sides = [({to(x) for x in g}, {to(x) for x in p}) for g, p in zip(truth, predicted, strict=True) if p]
        out.append(2 * sum(len(g & p) for g, p in sides) / sum(len(g) + len(p) for g, p in sides))
    out.append(sum(entropies) / len(entropies))
    for kind in ("intra", "inter"):
        g, p = moves[f"{kind} g"], moves[f"{kind} p"]
        roles = [role for role in g if g[role].total() >= 10 and p[role].total() >= 10]
        out.append(sum(1 - distance(p[r], g[r]) for r in roles) / len(roles))
        pairs = list(combinations(roles, 2))
        out.append(sum(distance(p[r], p[s]) - distance(g[r], g[s]) for r, s in pairs) / len(pairs))
    return tuple(out)


def distance(a: Counter[tuple[str, str]], b: Counter[tuple[str, str]]) -> float:
    n = a.total() * b.total()
    return math.sqrt(max(0.0, 1 - sum(math.sqrt(a[cell] * b[cell] / n) for cell in a if cell in b)))


def beside_plain_loops(folder: Path) -> None:
    dialogues = mmrole.read_dialogues(folder / "dialogues.csv")
    bags: dict[str, list[str]] = defaultdict(list)
    for vote in JsonLines(folder / "votes.jsonl"):
        bags[vote["utterance_id"]].append(vote["label"])
    counts = count_votes(JsonLines(folder / "votes.jsonl"))
    began = time.process_time()
    expected = plain(dialogues, bags)
    loops_s = time.process_time() - began
    spent = {}
    for draws in (0, DRAWS):
        began = time.process_time()
        report = score_with(ScoreOptions(), dialogues, counts, bootstrap=draws)
        spent[draws] = time.process_time() - began
    parts = [
        ("mec", "lower"),
        ("mec", "upper"),
        ("ed", "all"),
        *((m, k) for k in ("intra", "inter") for m in ("edd", "rcd")),
    ]
    assert all(abs(report[part].value - value) < 1e-9 for part, value in zip(parts, expected, strict=True))
    draw_ms = 1000 * (spent[DRAWS] - spent[0]) / DRAWS
    print(f"plain loops, values only: {loops_s:.1f} s; ours {spent[0]:.1f} s: {loops_s / spent[0]:.1f} times as long")
    print(
        f"plain loops, one draw: about {loops_s:.1f} s (the same work again); ours {draw_ms:.1f} ms: "
        f"{1000 * loops_s / draw_ms:,.0f} times as long; {DRAWS:,} draws would take {loops_s * DRAWS / 60:,.0f} min"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--utterances", type=int, default=1_000_000)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        for part in (4, 2, 1):
            size = args.utterances // part
            folder = make(Path(name) / str(size), size)
            table_s, votes_s = reading(folder)
            cpu_s, peak_gb = command(folder)
            beyond_s = cpu_s - table_s - votes_s
            print(
                f"{size:,} utterances, {DRAWS:,} draws: {cpu_s:.1f} s CPU, of it table {table_s:.1f} s, votes {votes_s:.1f} s, "
                f"beyond reading {beyond_s:.1f} s ({1e6 * beyond_s / size:.1f} us an utterance); {peak_gb:.2f} GB",
                flush=True,
            )
        without_s, _ = command(folder, draws=0)
        print(f"the draws of the last: {cpu_s - without_s:.1f} s")
        if size == 1_000_000:
            for what, value, target, unit in (
                ("beyond reading", beyond_s, TARGET_CPU_S, "s"),
                ("memory", peak_gb, TARGET_GB, "GB"),
                ("reading the table", table_s, TARGET_READING_S, "s"),
            ):
                met = "met" if value <= target else "MISSED"
                print(f"target {what} <= {target:g} {unit}: {value:.2f} {unit}, {met}")
        small = make(Path(name) / "tenth", args.utterances // 10)
        print(f"{args.utterances // 10:,} utterances:")
        beside_plain_loops(small)


if __name__ == "__main__":
    main()
