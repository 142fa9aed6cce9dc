"""`mmrole respond`: an agent plays roles on the turns of dialogues."""

from __future__ import annotations

from mmrole.jobs.respond.entry import respond
from mmrole.jobs.respond.preparation import Setup
from mmrole.jobs.respond.run import RESPONSES, RespondResult, estimate_with, respond_with
from mmrole.jobs.respond.scripted import ground_truth, scripted_agent

__all__ = [
    "RESPONSES",
    "RespondResult",
    "Setup",
    "estimate_with",
    "ground_truth",
    "respond",
    "respond_with",
    "scripted_agent",
]
