"""RoleCDE: whether an agent decides for its role's own value or for what is generally held to be right.

Nothing is imported until it is asked for. Source: "RoleCDE: Benchmarking and Mitigating Role-Alignment Trade-offs in Role-Playing
Agents" (arXiv 2606.01552).
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from textbench.rolecde.agreement import judge_agreement as judge_agreement
    from textbench.rolecde.dbr_metrics import dbr as dbr
    from textbench.rolecde.dbr_metrics import dbr_difference as dbr_difference
    from textbench.rolecde.dbr_metrics import debiased_dbr as debiased_dbr
    from textbench.rolecde.dbr_metrics import flip_rate as flip_rate
    from textbench.rolecde.dbr_metrics import position_bias as position_bias
    from textbench.rolecde.markers import concession_markers as concession_markers
    from textbench.rolecde.outputs import read_outputs as read_outputs
    from textbench.rolecde.persona_files import read_personas as read_personas
    from textbench.rolecde.role_options import audit_agreement as audit_agreement
    from textbench.rolecde.role_options import read_role_options as read_role_options
    from textbench.rolecde.role_options import settle_role_options as settle_role_options

_PLACES = {
    "audit_agreement": "textbench.rolecde.role_options",
    "concession_markers": "textbench.rolecde.markers",
    "dbr": "textbench.rolecde.dbr_metrics",
    "dbr_difference": "textbench.rolecde.dbr_metrics",
    "debiased_dbr": "textbench.rolecde.dbr_metrics",
    "flip_rate": "textbench.rolecde.dbr_metrics",
    "judge_agreement": "textbench.rolecde.agreement",
    "position_bias": "textbench.rolecde.dbr_metrics",
    "read_outputs": "textbench.rolecde.outputs",
    "read_personas": "textbench.rolecde.persona_files",
    "read_role_options": "textbench.rolecde.role_options",
    "settle_role_options": "textbench.rolecde.role_options",
}
__all__ = [  # the keys of _PLACES
    "audit_agreement",
    "concession_markers",
    "dbr",
    "dbr_difference",
    "debiased_dbr",
    "flip_rate",
    "judge_agreement",
    "position_bias",
    "read_outputs",
    "read_personas",
    "read_role_options",
    "settle_role_options",
]


def __getattr__(name: str) -> object:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}; it has {', '.join(sorted(_PLACES))}")
    return getattr(import_module(_PLACES[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *_PLACES])
