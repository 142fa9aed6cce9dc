"""The stages of `mmrole bench rolecde` that make data: from parsed arguments to a job, to what is printed, to the exit code."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from mmrole.cli.bench_arguments import asked_of
from mmrole.cli.bench_outcome import (
    EXIT_SOME_FAILED,
    estimate_record,
    exit_code,
    print_estimate,
    print_json,
    print_stage,
    stage_record,
)
from mmrole.cli.lines import one_line
from mmrole.cli.progress import progress_of

if TYPE_CHECKING:
    from mmrole.jobs.bench.rolecde import ConstructResult, MiniResult, VerifyResult


def construct_stage(args: argparse.Namespace) -> int:
    """`mmrole bench rolecde construct`; returns the exit code."""
    from mmrole.jobs.bench.rolecde import construct, estimate_construct

    asked = {"out": args.out, "temperature": args.temperature, **asked_of(args)}
    if args.dry_run:
        found = estimate_construct(args.seeds, args.author, **asked)
        if args.json:
            print_json(**{name: estimate_record(each) for name, each in found.items()})
            return 0
        for name, each in found.items():
            print(f"step {name}:")
            print_estimate(each, as_json=False)
        print(
            "each seed goes through profile, scenario, values, dilemmas, category: what is not there yet comes on top"
        )
        return 0
    with progress_of("replies", quiet=args.quiet or args.json) as progress:
        result = construct(
            args.seeds, args.author, seed=args.seed, sheets=args.sheets, on_progress=progress.show,
            **asked,
        )  # fmt: skip
    if args.json:
        print_json(
            out=str(result.out), report=result.report, rejected=list(result.rejected), stage=stage_record(result.stage),
            sheets=[str(path) for path in result.sheets], kept=[str(path) for path in result.kept],
        )  # fmt: skip
    else:
        _print_construct(result)
    return 0 if result.complete else EXIT_SOME_FAILED


def _print_construct(result: ConstructResult) -> None:
    print_stage(result.stage, "replies of the author")
    counts = result.report["counts"]
    ends = [f"{counts[name]:,} {name}" for name in ("personas", "rejected", "failed", "pending")]
    print(f"{counts['seeds']:,} seeds = {' + '.join(ends)}")
    for record in list(result.rejected)[:10]:
        print(
            one_line(
                f"  rejected: seed {record['draft']}, step {record['step']}: {record['status']}: {record['reason']}"
            )
        )
    if len(result.rejected) > 10:
        print(f"  and {len(result.rejected) - 10:,} more: see rejected.jsonl")
    if result.stage.stopped is not None:
        print("no personas were written: run the same command again")
        return
    for path in result.kept:
        print(one_line(f"{path} was left as it is: somebody has changed it"))
    if written := [path for path in result.sheets if path not in result.kept]:
        print(one_line(f"{len(written)} sheets for annotators -> {written[0].parent}"))
    print(f"-> {one_line(result.out)}")


def verify_stage(args: argparse.Namespace) -> int:
    """`mmrole bench rolecde verify`; returns the exit code."""
    from mmrole.jobs.bench.rolecde import verify

    result = verify(args.folder, args.sheets, leader=args.leader)
    if args.json:
        print_json(
            out=str(result.out), personas=[each.persona_id for each in result.found.accepted],
            dilemmas=sum(len(each.dilemmas) for each in result.found.accepted), rejected=list(result.found.rejected),
            changed_options=result.changed_options, disputed=None if result.disputed is None else str(result.disputed),
            scores=[each.to_record() for each in result.found.scores],
        )  # fmt: skip
    else:
        _print_verify(result)
    return EXIT_SOME_FAILED if result.disputed is not None else 0


def _print_verify(result: VerifyResult) -> None:
    from mmrole.jobs.bench.rolecde.verification_page import NAMES, PAPER, shown_value

    found = result.found
    kept = sum(len(each.dilemmas) for each in found.accepted)
    print(f"{len(found.decisions):,} dilemmas: {kept:,} stand, of {len(found.accepted):,} personas")
    for reason in ("invalid", "undecided"):
        if count := sum(each["reason"] == reason for each in found.rejected):
            print(f"  {count:,} {reason}")
    if result.changed_options:
        print(f"  in {result.changed_options:,} people name another option as the role's than the author meant")
    for score in found.scores:
        paper = f"; in the paper {PAPER[score.metric, score.part]}" if (score.metric, score.part) in PAPER else ""
        print(
            f"  {score.part:<12} {NAMES.get(score.metric, score.metric)}: {shown_value(score)} (n = {score.n:,}{paper})"
        )
    if result.disputed is not None:
        print(one_line(f"{len(found.disputed):,} dilemmas for the leader -> {result.disputed}"))
        if result.kept:
            print("  that sheet was left as it is: somebody has changed it; give it with --leader")
    print(f"-> {one_line(result.out)}")


def mini_stage(args: argparse.Namespace) -> int:
    """`mmrole bench rolecde mini`; returns the exit code."""
    from mmrole.jobs.bench.rolecde import MiniPlan, estimate_mini, mini
    from textbench.rolecde.mini import Rules

    plan = MiniPlan(
        personas=args.personas, role_option_files=args.role_options, only=args.only, levels=args.levels,
        samples=args.samples, seed=args.seed, temperature=args.temperature, include_doubtful=args.include_doubtful,
        rules=Rules(value_share=args.value_share, details=args.details), skip_invalid=args.skip_invalid,
    )  # fmt: skip
    if args.dry_run:
        found = estimate_mini(plan, args.teacher, args.judge, out=args.out, **asked_of(args))
        if args.json:
            print_json(**{name: estimate_record(each) for name, each in found.items()})
            return 0
        for name, each in found.items():
            if each.total:
                print(f"{name}:")
                print_estimate(each, as_json=False)
        print(
            f"the judge is asked of every answer that has reasons, at most {found['teacher'].total:,}, and again of what cannot be read"
        )
        return 0
    with progress_of("replies", quiet=args.quiet or args.json) as progress:
        result = mini(
            plan,
            args.teacher,
            args.judge,
            out=args.out,
            on_progress=progress.show,
            **asked_of(args),
        )
    if args.json:
        print_json(
            out=str(result.out), counts=None if result.corpora is None else result.corpora.counts,
            teacher=stage_record(result.teacher), judge=None if result.judge is None else stage_record(result.judge),
            left_out=list(result.left_out),
        )  # fmt: skip
    else:
        _print_mini(result)
    stages = [stage for stage in (result.teacher, result.judge) if stage is not None]
    if result.corpora is None or not result.corpora.accepted:
        return EXIT_SOME_FAILED
    return max(exit_code(stage) for stage in stages)


def _print_mini(result: MiniResult) -> None:
    from textbench.rolecde.mini import RULES

    if result.left_out:
        reasons = sorted({each["reason"] for each in result.left_out})
        numbers = [f"{sum(each['reason'] == reason for each in result.left_out):,} {reason}" for reason in reasons]
        print(one_line(f"left out: {', '.join(numbers[:5])}"))
    print_stage(result.teacher, "answers of the teacher")
    if result.judge is not None:
        print_stage(result.judge, "verdicts of the judge")
    if result.corpora is None:
        print("no corpora were written: run the same command again")
        return
    counts = result.corpora.counts
    print(
        f"{counts['answers']:,} answers = {counts['accepted']:,} accepted + {counts['spare']:,} spare + {counts['rejected']:,} rejected"
    )
    if sum(counts["reasons"].values()) > counts["rejected"]:
        print("  by reason; an answer may have several:")
    for reason, count in counts["reasons"].items():
        print(f"  {count:,} {reason}" + (f": {RULES[reason]}" if reason in RULES else ""))
    by_type = ", ".join(f"{name} {count:,}" for name, count in counts["accepted_by_decision"].items())
    if by_type:
        print(f"accepted: {by_type}; rows for SFT are of RF and RC, those for DPO set them against AC and AF")
    pairs = ", ".join(f"{pair} {count:,}" for pair, count in counts["dpo_by_pair"].items())
    print(
        f"{counts['sft']:,} rows for SFT, {counts['dpo']:,} for DPO{f' ({pairs})' if pairs else ''}; {counts['unpaired']:,} unpaired"
    )
    print("judge and rules share the markers of the benchmark: a gain on RoleCDE by this training is partly circular")
    print(f"-> {one_line(result.out)}")
