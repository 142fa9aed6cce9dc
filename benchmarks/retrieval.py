"""What it costs to make a novel searchable: chunks, BM25 index, 100 queries with their selections, masking. See README.md beside this file.

python benchmarks/retrieval.py [NOVEL.txt]
"""

import argparse
import random
import resource
import time
from itertools import pairwise
from pathlib import Path

from textbench.chunks import chunks
from textbench.entities import entity_map
from textbench.residuals import ResidualFinder
from textbench.retrieval import Retriever, fill

SIZE, BUDGET, QUERIES, QUERY_WORDS = 1000, 5000, 100, 120


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument(
        "novel", nargs="?", type=Path, help="a text; without it, one of a million characters is made up"
    )
    options = parser.parse_args()
    text = options.novel.read_text(encoding="utf-8") if options.novel else made_up(1_000_000)
    began = time.process_time()
    Retriever(["word"]).ranked("word")
    print(f"loading bm25s        {time.process_time() - began:6.3f} s CPU")
    measure(text)
    measure_masking(text)
    print(f"peak memory          {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:6.0f} MB")


def measure(text: str) -> None:
    times = [time.process_time()]
    parts = chunks(text, SIZE)
    times.append(time.process_time())
    memory = Retriever([part.text for part in parts])
    times.append(time.process_time())
    chance = random.Random(0)
    words = text.split()
    for _ in range(QUERIES):  # as long as a scenario with its question
        start = chance.randrange(max(1, len(words) - QUERY_WORDS))
        selection = fill([memory.ranked(" ".join(words[start : start + QUERY_WORDS]))], parts, BUDGET)
        assert 0 < selection.tokens <= BUDGET, selection
    times.append(time.process_time())
    assert "".join(part.text for part in parts) == text
    steps = [after - before for before, after in pairwise(times)]
    names = (f"{len(parts)} chunks", "index", f"{QUERIES} queries")
    for name, spent in zip(names, steps, strict=True):
        print(f"{name:20} {spent:6.3f} s CPU")
    print(f"{'together':20} {sum(steps):6.3f} s CPU for {len(text):,} characters")


def measure_masking(text: str) -> None:
    capitalised = [word.strip(".,;:!?\"'") for word in text.split() if word[:1].isupper() and len(word) > 5]
    names = sorted(set(capitalised))[:200]
    began = time.process_time()
    _, left = ResidualFinder(entity_map(characters=names, strict=False)).mask(text)
    spent = time.process_time() - began
    print(f"{'masking':20} {spent:6.3f} s CPU for {len(names)} names, {left.replaced:,} mentions replaced")


def made_up(length: int) -> str:
    chance = random.Random(0)
    known = ["".join(chance.choices("abcdefghilmnoprstu", k=chance.randint(2, 9))) for _ in range(12_000)]
    weights = [1 / rank for rank in range(1, len(known) + 1)]  # Zipf
    pieces: list[str] = []
    size = 0
    while size < length:
        sentence = " ".join(chance.choices(known, weights, k=chance.randint(5, 25))).capitalize()
        pieces.append(f"{sentence}.{chance.choice(['  ', ' ', chr(10) * 2])}")
        size += len(pieces[-1])
    return "".join(pieces)


if __name__ == "__main__":
    main()
