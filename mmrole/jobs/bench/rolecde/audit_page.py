"""The page of the audit: which dilemmas are in doubt, and why."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from mmrole.core.scores import Score
from mmrole.jobs.markdown import escaped, number, table
from textbench.rolecde.personas import Persona
from textbench.rolecde.role_options import DOUBTS, RoleOption, audit_counts

_SHOWN: Final = 500


def audit_page(options: Sequence[RoleOption], personas: Iterable[Persona], agreement: Sequence[Score]) -> str:
    """The page, Markdown.

    Args:
        options: the role option of every dilemma
        personas: whose dilemmas
        agreement: of every two sources
    """
    counts, of = audit_counts(options), {each.persona_id: each for each in personas}
    flagged = [each for each in options if each.flagged]
    out = [
        "# Audit of the role options",
        "",
        f"{counts['dilemmas']:,} dilemmas, {counts['flagged']:,} of them flagged. Where the role option is from: "
        + ", ".join(f"{name} {count:,}" for name, count in sorted(counts["sources"].items()))
        + ".",
        "",
    ]
    if counts["sources"].get("assumed"):
        out += [
            f"{counts['sources']['assumed']:,} role options are assumed to be B, as in the published data; nobody looked at them.",
            "",
        ]
    out += [f"- {name}: {DOUBTS[name]}: {count:,}" for name, count in counts["doubts"].items()]
    if agreement:
        out += ["", "## Sources side by side", ""]
        rows = [
            (escaped(s.part), number(s.details["observed_agreement"]), number(s.value), str(s.n), s.reason or "")
            for s in agreement
        ]
        out += table(["sources", "agreement", "kappa", "n", ""], rows, "lrrrl")
    if flagged:
        out += ["", "## Flagged dilemmas", ""]
        found: list[tuple[str, ...]] = []
        for each in flagged[:_SHOWN]:
            dilemma = of[each.persona].dilemmas[each.level]
            said = ", ".join(f"{v.source}: {v.option or v.reason}" for v in each.verdicts)
            cells = (each.persona, each.level, each.option, ", ".join(each.doubts), said)
            texts = (of[each.persona].personal_value, dilemma.options["A"], dilemma.options["B"])
            found.append(tuple(escaped(cell) for cell in (*cells, *texts)))
        out += table(["persona", "level", "role option", "doubts", "verdicts", "personal value", "A", "B"], found)
        if len(flagged) > _SHOWN:
            out += ["", f"and {len(flagged) - _SHOWN:,} more: see audit.jsonl"]
    return "\n".join(out) + "\n"
