"""`mmrole bench lifechoice construct | filter | build | run | grade | score | plot | leak`."""

from __future__ import annotations

import argparse

from mmrole.cli.bench_arguments import add_asking, stage_parser
from mmrole.cli.bench_lifechoice_data import add_construct, add_filter
from mmrole.cli.bench_lifechoice_leak import add_leak
from mmrole.cli.bench_lifechoice_stages import build_stage, grade_stage, plot_stage, run_stage, score_stage
from mmrole.cli.types import Commands

_METHODS = ("hierarchical", "bm25", "hierarchical+bm25", "hierarchical+bm25+charmap")


def add_to(commands: Commands) -> None:
    """Adds the benchmark to the parser."""
    parser = commands.add_parser("lifechoice", help="decisions of characters in whole novels (LIFECHOICE, CharMap)")
    parser.description = (
        "Asks a role-playing agent for the decisions of characters at turning points of novels, with profiles built from the text "
        "before. One folder is one agent under one condition; each stage reads what the one before has stored."
    )
    stages = parser.add_subparsers(title="stages", metavar="STAGE", required=True)
    for add in (
        add_construct, add_filter, _add_build, _add_run, _add_grade, _add_score, _add_plot, add_leak,
    ):  # fmt: skip
        add(stages)


def _add_build(stages: Commands) -> None:
    parser = stage_parser(stages, "build", "prepare a folder from a data set", build_stage)
    parser.add_argument("--out", required=True, metavar="DIR", help="the folder")
    parser.add_argument(
        "--data",
        default="example",
        metavar="FILE",
        help="JSON or JSONL, or a CSV file of MoralChoice (default: the packaged example)",
    )
    parser.add_argument("--only", nargs="+", default=[], metavar="ID", help="ids of items (default: all)")
    parser.add_argument("--lenient", action="store_true", help="leave out items that cannot be used, and list them")
    parser.add_argument(
        "--index-base",
        type=int,
        choices=(0, 1),
        help="where right answers given as numbers count from (default: the file tells)",
    )
    parser.add_argument(
        "--methods",
        nargs="+",
        default=list(_METHODS),
        metavar="METHOD",
        help="roleless, no-profile, or parts joined by +: hierarchical | incremental | human, bm25 | embedding, charmap, motivation "
        f"(default: {' '.join(_METHODS)})",
    )
    parser.add_argument("--budget", type=int, default=5000, metavar="N", help="tokens of a profile (default: 5000)")
    parser.add_argument("--split", type=float, default=0.5, metavar="X", help="share of the description (default: 0.5)")
    parser.add_argument(
        "--order",
        choices=("description-first", "memory-first"),
        default="description-first",
        help="(default: description-first)",
    )
    parser.add_argument("--chunk", type=int, default=1000, metavar="N", help="tokens of a chunk (default: 1000)")
    parser.add_argument(
        "--leaf", type=int, metavar="N", help="tokens of the summary of a chunk (default: a quarter of the chunk)"
    )
    parser.add_argument(
        "--group", type=int, default=5000, metavar="N", help="tokens of summaries merged at once (default: 5000)"
    )
    parser.add_argument(
        "--node", type=int, default=1000, metavar="N", help="tokens of a merged summary (default: 1000)"
    )
    parser.add_argument("--most-levels", type=int, default=12, metavar="N", help="levels of merging (default: 12)")
    parser.add_argument(
        "--embedder", metavar="MODEL", help="folder or name of a sentence encoder (default: the packaged one, English)"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the orders of options (default: 0)")
    parser.add_argument("--no-shuffle", action="store_true", help="show options in the order of the data set")
    parser.add_argument("--runs", type=int, default=1, metavar="N", help="how often every item is asked (default: 1)")
    parser.add_argument("--temperature", type=float, default=0.0, help="of the agent (default: 0)")
    parser.add_argument(
        "--prefixes",
        type=int,
        default=1,
        metavar="N",
        help="ask after 1/N, 2/N, ... of the text, too (default: 1, the whole)",
    )
    parser.add_argument(
        "--truncate-descriptions",
        action="store_true",
        help="with --prefixes: cut supplied descriptions to the same share",
    )
    parser.add_argument(
        "--masking", choices=("none", "given", "model"), default="none", help="replace names (default: none)"
    )
    parser.add_argument(
        "--entities", metavar="FILE", help="with --masking given: the names, JSON, for all books or by book"
    )
    parser.add_argument(
        "--data-version",
        choices=("own", "v1", "v2", "emnlp"),
        default="own",
        help="which published data set it is (default: own)",
    )


def _add_model(parser: argparse.ArgumentParser, name: str, text: str) -> None:
    parser.add_argument("folder", metavar="DIR", help="the folder of the build stage")
    parser.add_argument(name, required=True, metavar="ENDPOINT", help=text)
    parser.add_argument(
        "--profiles", metavar="DIR", help="folder of the profiles' journals, to share them (default: DIR/profiles)"
    )
    add_asking(parser)


def _add_run(stages: Commands) -> None:
    parser = stage_parser(
        stages, "run", "build the profiles and ask the agent; what is answered is never asked again", run_stage
    )
    _add_model(parser, "--agent", "the agent, an endpoint of the configuration")
    parser.add_argument(
        "--profiler", metavar="ENDPOINT", help="writes descriptions and picks segments (default: the agent)"
    )
    parser.add_argument(
        "--until",
        choices=("names", "profile", "segments", "answer"),
        default="answer",
        help="the last step (default: answer)",
    )


def _add_grade(stages: Commands) -> None:
    parser = stage_parser(
        stages, "grade", "have a judge score the profiles from 1 to 3; accuracies do not need it", grade_stage
    )
    _add_model(parser, "--judge", "the judge, an endpoint of the configuration")
    parser.add_argument("--name", metavar="NAME", help="of the grades (default: the endpoint's name)")
    parser.add_argument(
        "--regenerations",
        type=int,
        default=2,
        metavar="N",
        help="ask so often again for what cannot be read (default: 2, most: 12)",
    )


def _add_score(stages: Commands) -> None:
    parser = stage_parser(stages, "score", "compute every number from what is stored", score_stage)
    parser.add_argument("folder", metavar="DIR", help="the folder, with answers")
    parser.add_argument("--grades", metavar="NAME", help="which judge's scores of profiles, when there are several")
    parser.add_argument(
        "--human", metavar="CSV", help="item_id, method, score: people's scores of profiles, to compare with"
    )
    parser.add_argument(
        "--reference",
        choices=("v1", "v2", "emnlp"),
        help="show published accuracies of that version beside; only on its data",
    )
    parser.add_argument(
        "--bootstrap", type=int, default=1000, metavar="N", help="draws of whole books, 0 for none (default: 1000)"
    )
    parser.add_argument("--seed", type=int, default=0, help="of the draws (default: 0)")


def _add_plot(stages: Commands) -> None:
    parser = stage_parser(stages, "plot", "draw what was scored", plot_stage)
    parser.add_argument(
        "kind",
        choices=("accuracy", "motivation", "genre", "time"),
        help="accuracies with intervals; motivation types or genres by method; accuracy over the text that was told",
    )
    parser.add_argument("folder", metavar="DIR", help="the folder, with scores")
    parser.add_argument("--out", required=True, metavar="FILE", help="picture to write: .png, .svg or .pdf")
    parser.add_argument("--methods", nargs="+", default=[], metavar="METHOD", help="which (default: all)")
    parser.add_argument("--lang", choices=("en", "zh"), default="en", help="language of the words (default: en)")
