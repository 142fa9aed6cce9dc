"""`mmrole bench BENCHMARK STAGE`."""

from __future__ import annotations

from mmrole.cli import bench_incharacter, bench_lifechoice, bench_rolecde
from mmrole.cli.types import Commands

_BENCHMARKS = (bench_incharacter, bench_lifechoice, bench_rolecde)


def add_to(commands: Commands) -> None:
    """Adds the command to the parser."""
    text = "measure agents on benchmarks in text, stage by stage"
    parser = commands.add_parser("bench", help=text, description=text)
    benchmarks = parser.add_subparsers(title="benchmarks", metavar="BENCHMARK", required=True)
    for benchmark in _BENCHMARKS:
        benchmark.add_to(benchmarks)
