"""`mmrole bench incharacter build | run | grade | score | plot | labels`."""

from __future__ import annotations

import argparse

from mmrole.cli.bench_arguments import add_asking, stage_parser
from mmrole.cli.bench_incharacter_stages import (
    build_stage,
    grade_stage,
    labels_stage,
    plot_stage,
    run_stage,
    score_stage,
)
from mmrole.cli.types import Commands

_METHODS = ("SR", "SR-CoT", "OC", "d-OC", "ER_all", "ER_batch")
_SOURCES = ("pdb", "annotation")


def add_to(commands: Commands) -> None:
    """Adds the benchmark to the parser."""
    parser = commands.add_parser("incharacter", help="personality fidelity by interview (InCharacter, ACL 2024)")
    parser.description = (
        "Interviews a role-playing agent with the questions of psychological scales and compares the measured personality with "
        "the character's. One folder is one agent under one condition; each stage reads what the one before has stored."
    )
    stages = parser.add_subparsers(title="stages", metavar="STAGE", required=True)
    for add in (_add_build, _add_run, _add_grade, _add_score, _add_plot, _add_labels):
        add(stages)


def _add_build(stages: Commands) -> None:
    parser = stage_parser(stages, "build", "prepare what the agent will be asked", build_stage)
    parser.add_argument("--out", required=True, metavar="DIR", help="the folder")
    parser.add_argument(
        "--characters",
        nargs="+",
        default=["example"],
        metavar="FILE",
        help="characters files (default: the packaged example)",
    )
    parser.add_argument("--only", nargs="+", default=[], metavar="ID", help="ids of characters (default: all)")
    parser.add_argument(
        "--scales",
        nargs="+",
        default=["IPIP-50"],
        metavar="SCALE",
        help="scales, or all (default: IPIP-50, which is packaged)",
    )
    parser.add_argument("--questionnaires", metavar="DIR", help="your folder of questionnaire JSON files")
    parser.add_argument(
        "--methods",
        nargs="+",
        default=["ER_batch"],
        choices=_METHODS,
        metavar="METHOD",
        help=f"{', '.join(_METHODS)} (default: ER_batch)",
    )
    parser.add_argument(
        "--setting",
        default="D",
        choices=("D", "M", "D+M"),
        help="what the agent is told: D description, M memory (default: D)",
    )
    parser.add_argument(
        "--runs", type=int, default=3, metavar="N", help="how often everything is repeated (default: 3)"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the shuffles of ER_batch (default: 0)")
    parser.add_argument("--temperature", type=float, default=0.7, help="of the agent (default: 0.7)")
    parser.add_argument(
        "--passages", type=int, default=4, metavar="K", help="passages of memory for a question (default: 4)"
    )
    parser.add_argument("--with-roleless", action="store_true", help="ask the bare model as well, to compare with")


def _add_model(parser: argparse.ArgumentParser, name: str, text: str) -> None:
    parser.add_argument("folder", metavar="DIR", help="the folder of the build stage")
    parser.add_argument(name, required=True, metavar="ENDPOINT", help=text)
    add_asking(parser)


def _add_run(stages: Commands) -> None:
    parser = stage_parser(stages, "run", "ask the agent; what is answered is never asked again", run_stage)
    _add_model(parser, "--agent", "the agent, an endpoint of the configuration")


def _add_grade(stages: Commands) -> None:
    parser = stage_parser(
        stages, "grade", "have an interviewer model read the answers; the agent is not asked", grade_stage
    )
    _add_model(parser, "--interviewer", "the interviewer model, an endpoint of the configuration")
    parser.add_argument("--name", metavar="NAME", help="of the grades (default: the endpoint's name)")
    parser.add_argument(
        "--methods",
        nargs="+",
        default=[],
        choices=_METHODS,
        metavar="METHOD",
        help="only these (default: all of the plan)",
    )
    parser.add_argument(
        "--regenerations",
        type=int,
        default=12,
        metavar="N",
        help="ask so often again for what cannot be read (default and most: 12)",
    )


def _add_score(stages: Commands) -> None:
    parser = stage_parser(stages, "score", "compute every number from what is stored", score_stage)
    parser.add_argument("folder", metavar="DIR", help="the folder, with grades")
    parser.add_argument("--grades", metavar="NAME", help="which grades, when there are several")
    parser.add_argument("--labels", metavar="FILE", help="labels file (default: the labels of the characters file)")
    parser.add_argument(
        "--types", choices=_SOURCES, help="labels whose types are compared (default: pdb where there are any)"
    )
    parser.add_argument(
        "--values", choices=_SOURCES, help="labels whose scores are compared (default: annotation where there are any)"
    )
    parser.add_argument(
        "--mask", choices=_SOURCES, help="labels whose X leave a dimension out (default: pdb where there are any)"
    )
    parser.add_argument(
        "--mirror", nargs="+", default=[], metavar="DIMENSION", help="labels to turn round, such as Lying"
    )
    parser.add_argument(
        "--refusal",
        choices=("midpoint", "excluded"),
        default="midpoint",
        help="what a refusal is worth (default: midpoint)",
    )
    parser.add_argument(
        "--upstream", action="store_true", help="let what is no option into the means, as the published runs did"
    )
    parser.add_argument(
        "--bootstrap", type=int, default=1000, metavar="N", help="draws of the intervals, 0 for none (default: 1000)"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the draws (default: 0)")


def _add_plot(stages: Commands) -> None:
    parser = stage_parser(stages, "plot", "draw what was scored", plot_stage)
    parser.add_argument("kind", choices=("radar", "map"), help="measured beside labelled, or all characters on a map")
    parser.add_argument("folder", metavar="DIR", help="the folder, with scores")
    parser.add_argument("--out", required=True, metavar="FILE", help="picture to write: .png, .svg or .pdf")
    parser.add_argument("--grades", metavar="NAME", help="which grades, when there are several")
    parser.add_argument("--labels", metavar="FILE", help="labels file (default: the labels of the characters file)")
    parser.add_argument(
        "--method", choices=_METHODS, help="which method (default: the first of the plan that has scores)"
    )
    parser.add_argument("--scale", help="which scale, in a radar chart (default: the first)")
    parser.add_argument("--only", nargs="+", default=[], metavar="ID", help="ids of characters (default: all)")
    parser.add_argument("--source", choices=_SOURCES, help="of the labels (default: annotation where there are any)")
    parser.add_argument("--lang", choices=("en", "zh"), default="en", help="language of the words (default: en)")


def _add_labels(stages: Commands) -> None:
    parser = stage_parser(
        stages, "labels", "build a labels file from PDb votes and from annotators' sheets", labels_stage
    )
    parser.add_argument("--out", required=True, metavar="FILE", help="the labels file, JSON")
    parser.add_argument("--pdb", metavar="CSV", help="character, type, votes; or character, scale, dimension, share")
    parser.add_argument(
        "--sheets", metavar="CSV", help="character, scale, dimension, annotator, score (X when not shown)"
    )
    parser.add_argument(
        "--mirror",
        nargs="+",
        default=[],
        metavar="SCALE:DIMENSION",
        help="labelled the other way round, such as EPQ-R:Lying",
    )
    parser.add_argument(
        "--questionnaires", metavar="DIR", help="your folder of questionnaire JSON files, for scales of your own"
    )
    parser.add_argument(
        "--bootstrap",
        type=int,
        default=1000,
        metavar="N",
        help="draws of kappa's intervals, 0 for none (default: 1000)",
    )
    parser.add_argument("--seed", type=int, default=0, help="of the draws (default: 0)")
