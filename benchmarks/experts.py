"""What the experts without an endpoint recognise in dialogues: trained on one file, all scored on another.

    python benchmarks/experts.py TRAIN TEST [--bootstrap 1000]

For CPED, TRAIN is its dev file (the train split is not to be had freely) and TEST its test file: other shows. Prints F1 and accuracy
over all utterances (no label is a miss), with 95 % intervals from drawing dialogues, beside always saying the most frequent label or
sentiment of TRAIN, and the CPU time of each training. Targets for CPED: macro F1 of 13 labels >= .13, of 3 sentiments >= .40, a
training within 60 s of CPU.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from emotion.experts.cases import ClipCases
from emotion.experts.expert import Expert, votes_on
from emotion.experts.lexicon import LexiconExpert
from emotion.experts.trained import TrainedExpert
from emotion.metrics.erc import ErcResult
from emotion.recognition import score_recognition
from mmrole import read_dialogues
from mmrole.core.dialogue import Dialogue
from mmrole.core.labels import label_set
from mmrole.jobs.experts import train_expert

TARGET_MACRO_13, TARGET_MACRO_3, TARGET_CPU_S = 0.13, 0.40, 60.0
CPED = label_set("cped-13")


def most_frequent(dialogues: Sequence[Dialogue], what: str) -> str:
    labels = Counter(getattr(utterance, what) for dialogue in dialogues for utterance in dialogue.utterances)
    return labels.most_common(1)[0][0]


def predictions(expert: Expert, dialogues: Sequence[Dialogue]) -> list[dict[str, str | None]]:
    cases = list(ClipCases(dialogues))
    votes = votes_on(expert, cases, "text", 0)
    return [{"utterance_id": case.utterance_id, "label": vote.label} for case, vote in zip(cases, votes, strict=True)]


def always(label: str, dialogues: Sequence[Dialogue]) -> list[dict[str, str | None]]:
    return [{"utterance_id": each.utterance_id, "label": label} for one in dialogues for each in one.utterances]


def row(name: str, result: ErcResult) -> str:
    cells = []
    for score in ("macro_f1", "weighted_f1", "accuracy"):
        low, high = result[score].ci or (float("nan"), float("nan"))
        cells.append(f"{result[score].value:.3f} [{low:.3f}, {high:.3f}]")
    answered = result["macro_f1_answered"].value
    share = "–" if answered is None else f"{answered:.3f}"
    return f"| {name} | {' | '.join(cells)} | {result['coverage'].value:.3f} | {share} |"


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("train")
    parser.add_argument("test")
    parser.add_argument("--bootstrap", type=int, default=1000)
    args = parser.parse_args()
    train, test = read_dialogues(args.train), read_dialogues(args.test)
    head = "| expert | macro F1 | weighted F1 | accuracy | coverage | macro F1 of the answered |\n|---|---|---|---|---|---|"
    rows_13, rows_3 = [], []

    def add(name: str, given: list[dict[str, str | None]]) -> None:
        for rows, level in ((rows_13, "lower"), (rows_3, "upper")):
            rows.append(row(name, score_recognition(test, given, CPED, level=level, bootstrap=args.bootstrap)))

    said = most_frequent(train, "emotion")
    rows_13.append(row(f"always {said}", score_recognition(test, always(said, test), CPED, bootstrap=args.bootstrap)))
    said = most_frequent(train, "sentiment")
    outcome = score_recognition(test, always(said, test), "sentiment-3", target="sentiment", bootstrap=args.bootstrap)
    rows_3.append(row(f"always {said}", outcome))
    add("lexicon", predictions(LexiconExpert(streams=("text",)), test))
    add("lexicon, neutral assumed", predictions(LexiconExpert(streams=("text",), without_word="neutral"), test))
    costs, macro = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        for target in ("emotion", "sentiment"):
            began = time.process_time()
            done = train_expert([args.train], out=Path(folder) / f"{target}.npz", target=target)
            costs[target] = time.process_time() - began
            given = predictions(TrainedExpert(done.model), test)
            if target == "emotion":
                add("trained", given)
                macro[13] = score_recognition(test, given, CPED, bootstrap=0)["macro_f1"].value
                macro[3] = score_recognition(test, given, CPED, level="upper", bootstrap=0)["macro_f1"].value
            else:
                outcome = score_recognition(test, given, "sentiment-3", target="sentiment", bootstrap=args.bootstrap)
                rows_3.append(row("trained on sentiments", outcome))
    print(f"13 labels\n\n{head}", *rows_13, sep="\n")
    print(f"\n3 sentiments\n\n{head}", *rows_3, sep="\n")
    print(f"\nCPU of the training with its cross-validation: {', '.join(f'{k} {v:.1f} s' for k, v in costs.items())}")
    for met, what in (
        (macro[13] >= TARGET_MACRO_13, f"macro F1 of 13 labels {macro[13]:.3f}, target {TARGET_MACRO_13}"),
        (macro[3] >= TARGET_MACRO_3, f"macro F1 of 3 sentiments {macro[3]:.3f}, target {TARGET_MACRO_3}"),
        (max(costs.values()) <= TARGET_CPU_S, f"training {max(costs.values()):.1f} s, target {TARGET_CPU_S:.0f} s"),
    ):
        print(f"{'met' if met else 'MISSED'}: {what}")


if __name__ == "__main__":
    main()
