"""What there is to read in a stream."""

from __future__ import annotations

from emotion.experts.expert import Case
from emotion.votes import STREAMS


def texts_of_stream(case: Case, stream: str) -> list[str]:
    """The texts that a stream shows of a case, without empty ones.

    Args:
        case: the case
        stream: ``text``: what is said (and its description, where there is one); ``face``, ``body``, ``speech``: the description;
            ``all``: all of these
    """
    described = case.descriptions
    if stream == "all":
        parts = [case.text, *(described[modality] for modality in STREAMS[1:] if modality in described)]
    elif stream == "text":
        parts = [case.text, described.get("text", "")]
    else:
        parts = [described.get(stream, "")]
    return [part for part in parts if part.strip()]
