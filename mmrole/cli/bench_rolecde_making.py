"""`mmrole bench rolecde construct | verify | mini`: data for the benchmark, and for training against what it measures."""

from __future__ import annotations

from typing import Final

from mmrole.cli.bench_arguments import add_asking, stage_parser
from mmrole.cli.bench_rolecde_making_stages import construct_stage, mini_stage, verify_stage
from mmrole.cli.types import Commands

LEVELS: Final = ("easy", "mid", "hard")


def add_construct(stages: Commands) -> None:
    """`construct`."""
    parser = stage_parser(
        stages,
        "construct",
        "make personas with dilemmas out of lines about people, and sheets for annotators",
        construct_stage,
    )
    parser.description = (
        "An author model makes a persona of each seed, in five steps: profile, scenario, values, dilemmas, category. What it answers in a "
        "form that cannot be used drops out, with its reason. People verify the dilemmas on the sheets, see verify."
    )
    parser.add_argument(
        "seeds",
        metavar="SEEDS",
        help="a text file with a line per person, or CSV or JSONL with id and persona; example for the packaged ones",
    )
    parser.add_argument(
        "--author", required=True, metavar="ENDPOINT", help="the author, an endpoint of the configuration"
    )
    parser.add_argument("--out", required=True, metavar="DIR", help="the folder")
    parser.add_argument("--temperature", type=float, help="of the author (default: the endpoint's own)")
    parser.add_argument(
        "--seed", type=int, default=0, help="of the letters: which option is the role's is drawn (default: 0)"
    )
    parser.add_argument(
        "--sheets", type=int, default=4, metavar="N", help="sheets to write, one per annotator (default: 4)"
    )
    add_asking(parser)


def add_verify(stages: Commands) -> None:
    """`verify`."""
    parser = stage_parser(
        stages, "verify", "read the annotators' sheets of constructed dilemmas, and say what stands", verify_stage
    )
    parser.description = (
        "What all annotators say alike stands; the rest goes onto a sheet for a leader (disputed.csv), who decides. Accepted personas, the "
        "share of arbitration and the agreement of the annotators go into the folder verified."
    )
    parser.add_argument("folder", metavar="DIR", help="the folder of the stage construct")
    parser.add_argument(
        "--sheets", nargs="+", required=True, metavar="CSV", help="filled sheets, one per annotator, two or more"
    )
    parser.add_argument("--leader", metavar="CSV", help="the leader's filled sheet")


def add_mini(stages: Commands) -> None:
    """`mini`."""
    parser = stage_parser(
        stages, "mini", "make corpora for SFT and DPO out of a teacher's answers (RoleCDE-mini)", mini_stage
    )
    parser.description = (
        "A teacher model writes an answer of each decision type (RF, RC, AC, AF) to every dilemma; a judge verifies the type, and rules "
        "filter. The judge is asked the benchmark's own question and the rules use its concession markers: what an agent gains on RoleCDE "
        "by this training is partly circular, and belongs beside figures that use neither."
    )
    parser.add_argument("--out", required=True, metavar="DIR", help="the folder")
    parser.add_argument(
        "--personas",
        "--data",
        dest="personas",
        nargs="+",
        default=["example"],
        metavar="PATH",
        help="folders of persona_<id>.json, such files, JSONL files (default: the packaged example)",
    )
    parser.add_argument("--only", nargs="+", default=[], metavar="ID", help="ids of personas (default: all)")
    parser.add_argument(
        "--levels",
        nargs="+",
        default=list(LEVELS),
        choices=LEVELS,
        metavar="LEVEL",
        help="easy, mid, hard (default: all)",
    )
    parser.add_argument(
        "--skip-invalid", action="store_true", help="leave out personas that cannot be used, and list them"
    )
    parser.add_argument(
        "--role-options",
        nargs="+",
        default=[],
        metavar="CSV",
        help="tables with id, level, role_option (default: what the personas say)",
    )
    parser.add_argument(
        "--include-doubtful",
        action="store_true",
        help="use dilemmas whose role option is assumed or in doubt, too",
    )
    parser.add_argument("--teacher", required=True, metavar="ENDPOINT", help="writes the answers")
    parser.add_argument("--judge", required=True, metavar="ENDPOINT", help="verifies them; better another model")
    parser.add_argument(
        "--samples",
        type=int,
        default=1,
        metavar="N",
        help="answers per dilemma and decision type; the first that passes is used (default: 1)",
    )
    parser.add_argument("--temperature", type=float, default=0.7, help="of the teacher (default: 0.7)")
    parser.add_argument("--seed", type=int, default=0, help="of the order of the options (default: 0)")
    parser.add_argument(
        "--value-share",
        type=float,
        default=0.5,
        metavar="X",
        help="share of the content words of a value or role that names it (default: 0.5)",
    )
    parser.add_argument(
        "--details",
        type=int,
        default=2,
        metavar="N",
        help="content words of the dilemma that make a concrete detail (default: 2)",
    )
    add_asking(parser)
