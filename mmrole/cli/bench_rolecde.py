"""`mmrole bench rolecde build | run | grade | score | review | plot | construct | verify | mini`."""

from __future__ import annotations

from mmrole.cli.bench_arguments import add_asking, stage_parser
from mmrole.cli.bench_rolecde_making import LEVELS, add_construct, add_mini, add_verify
from mmrole.cli.bench_rolecde_stages import (
    build_stage,
    grade_stage,
    plot_stage,
    review_stage,
    run_stage,
    score_stage,
)
from mmrole.cli.types import Commands


def add_to(commands: Commands) -> None:
    """Adds the benchmark to the parser."""
    parser = commands.add_parser("rolecde", help="role values against alignment values (RoleCDE)")
    parser.description = (
        "Puts a role-playing agent before dilemmas between its role's own value and what is generally held to be right, and measures "
        "for which it decides. One folder is one agent under one condition; each stage reads what the one before has stored."
    )
    stages = parser.add_subparsers(title="stages", metavar="STAGE", required=True)
    for add in (
        _add_build, _add_run, _add_grade, _add_score, _add_review, _add_plot, add_construct, add_verify, add_mini,
    ):  # fmt: skip
        add(stages)


def _add_build(stages: Commands) -> None:
    parser = stage_parser(
        stages, "build", "prepare what the agent will be asked, and audit which option serves the role", build_stage
    )
    parser.add_argument("--out", required=True, metavar="DIR", help="the folder")
    parser.add_argument(
        "--personas",
        nargs="+",
        default=["example"],
        metavar="PATH",
        help="folders of persona_<id>.json, such files, JSONL files (default: the packaged example)",
    )
    parser.add_argument("--only", nargs="+", default=[], metavar="ID", help="ids of personas (default: all)")
    parser.add_argument(
        "--skip-invalid", action="store_true", help="leave out personas that cannot be used, and list them"
    )
    parser.add_argument(
        "--levels",
        nargs="+",
        default=list(LEVELS),
        choices=LEVELS,
        metavar="LEVEL",
        help="easy, mid, hard (default: all)",
    )
    parser.add_argument(
        "--prompt",
        default="neutral",
        choices=("neutral", "cot", "upstream"),
        help="neutral: never says which option serves which value; cot: reasoning first; upstream: in the manner of the "
        "published one, which says it (default: neutral)",
    )
    parser.add_argument(
        "--orders",
        nargs="+",
        default=["AB"],
        choices=("AB", "BA"),
        metavar="ORDER",
        help="AB as in the data, BA the other way round; both for scores free of position bias (default: AB)",
    )
    parser.add_argument(
        "--with-values", action="store_true", help="name the values in the prompt, not which option serves which"
    )
    parser.add_argument(
        "--runs", type=int, default=1, metavar="N", help="how often everything is repeated (default: 1)"
    )
    parser.add_argument("--temperature", type=float, default=0.0, help="of the agent (default: 0)")
    parser.add_argument(
        "--role-options",
        nargs="+",
        default=[],
        metavar="CSV",
        help="tables with id, level, role_option: which option serves the personal value (default: what the personas "
        "say, else B is assumed)",
    )
    parser.add_argument(
        "--auditors",
        nargs="+",
        default=[],
        metavar="ENDPOINT",
        help="models that are asked which option serves the personal value, in both orders",
    )
    add_asking(parser)


def _add_run(stages: Commands) -> None:
    parser = stage_parser(stages, "run", "ask the agent; what is answered is never asked again", run_stage)
    parser.add_argument("folder", metavar="DIR", help="the folder of the build stage")
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--agent", metavar="ENDPOINT", help="the agent, an endpoint of the configuration")
    source.add_argument(
        "--outputs", metavar="PATH", help="take over the outputs of the published scripts instead of asking anybody"
    )
    parser.add_argument(
        "--level", choices=LEVELS, help="of the outputs (default: the one that their folder's name holds)"
    )
    add_asking(parser)


def _add_grade(stages: Commands) -> None:
    parser = stage_parser(
        stages, "grade", "have judges say whether the reasons weigh both sides; the agent is not asked", grade_stage
    )
    parser.add_argument("folder", metavar="DIR", help="the folder, with answers")
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--judge", nargs="+", metavar="ENDPOINT", help="judges, endpoints of the configuration")
    source.add_argument("--outputs", metavar="PATH", help="take over what the published judge said in these outputs")
    parser.add_argument(
        "--level", choices=LEVELS, help="of the outputs (default: the one that their folder's name holds)"
    )
    parser.add_argument("--name", metavar="NAME", help="of the grades, with one judge (default: the endpoint's name)")
    parser.add_argument(
        "--regenerations",
        type=int,
        default=3,
        metavar="N",
        help="ask so often again for what cannot be read (default: 3, most: 12)",
    )
    add_asking(parser)


def _add_score(stages: Commands) -> None:
    parser = stage_parser(stages, "score", "compute every number from what is stored", score_stage)
    parser.add_argument("folder", metavar="DIR", help="the folder, with grades")
    parser.add_argument("--grades", metavar="NAME", help="of one judge only (default: every judge)")
    parser.add_argument(
        "--similarity",
        action="store_true",
        help="compare the reasons with the personal values, too: BLEU and ROUGE (extra similarity); needs no grades",
    )
    parser.add_argument(
        "--bertscore-model",
        metavar="DIR",
        help="a transformers model on this machine, for BERTScore, too (extra bertscore)",
    )
    parser.add_argument(
        "--bertscore-layer", type=int, metavar="N", help="layer of that model to compare (default: the last one)"
    )
    parser.add_argument(
        "--bootstrap", type=int, default=1000, metavar="N", help="draws of the intervals, 0 for none (default: 1000)"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the draws (default: 0)")


def _add_review(stages: Commands) -> None:
    parser = stage_parser(
        stages, "review", "write a sheet for people to check the judges by, or read such sheets back", review_stage
    )
    parser.add_argument("folder", metavar="DIR", help="the folder, with grades")
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--sheet", metavar="CSV", help="write the sheet here; a copy for each annotator")
    source.add_argument("--read", nargs="+", metavar="CSV", help="filled sheets, one per annotator")
    parser.add_argument("--sample", type=int, default=100, metavar="N", help="decisions in the sheet (default: 100)")
    parser.add_argument("--seed", type=int, default=0, help="of the sample (default: 0)")


def _add_plot(stages: Commands) -> None:
    parser = stage_parser(stages, "plot", "draw what was scored", plot_stage)
    parser.add_argument(
        "kind", choices=("decisions", "dbr"), help="stacked bars of RF, RC, AC, AF; or DBR with its intervals"
    )
    parser.add_argument("folder", metavar="DIR", help="the folder, with scores")
    parser.add_argument("--out", required=True, metavar="FILE", help="picture to write: .png, .svg or .pdf")
    parser.add_argument("--grades", metavar="NAME", help="of which judge, when there are several")
    parser.add_argument(
        "--by", choices=("category", "level"), default="category", help="divided by (default: category)"
    )
    parser.add_argument(
        "--metric", choices=("dbr", "debiased_dbr"), default="dbr", help="of the kind dbr (default: dbr)"
    )
    parser.add_argument(
        "--without-flagged", action="store_true", help="leave out dilemmas whose role option is in doubt"
    )
    parser.add_argument("--lang", choices=("en", "zh"), default="en", help="language of the words (default: en)")
