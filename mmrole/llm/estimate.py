"""What a run will take, before it is made: calls, tokens, money."""

from __future__ import annotations

import re
from dataclasses import dataclass

from mmrole.llm.chat import AudioPart, ChatRequest, ImagePart, Message, TextPart
from mmrole.llm.cost import Price
from mmrole.llm.outcome import Usage

_DENSE = re.compile("[\u2e80-\u9fff\uac00-\ud7ff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")
_CHARACTERS_PER_TOKEN = 4
_PER_MESSAGE = 4
_PER_IMAGE = 765
_AUDIO_BYTES_PER_TOKEN = {"wav": 1280, "mp3": 640}

HOW = (
    "tokens are estimated: one per Chinese, Japanese or Korean character, one per 4 other characters, 4 per message, "
    "765 per picture, 25 per second of sound (16 kHz, 16 bit)"
)
"""How `estimate_tokens` counts, for people; a tokenizer of the model itself may differ by a third."""


def estimate_text_tokens(text: str) -> int:
    """Tokens of a text, estimated without the model's tokenizer; 0 and up."""
    dense = len(_DENSE.findall(text))
    return dense + -(-(len(text) - dense) // _CHARACTERS_PER_TOKEN)


def estimate_tokens(request: ChatRequest) -> int:
    """Prompt tokens of a request, estimated as `HOW` says."""
    return sum(_PER_MESSAGE + _of_message(message) for message in request.messages)


def _of_message(message: Message) -> int:
    tokens = 0
    for part in message.parts:
        match part:
            case TextPart():
                tokens += estimate_text_tokens(part.text)
            case ImagePart():
                tokens += _PER_IMAGE
            case AudioPart():
                tokens += len(part.data) // _AUDIO_BYTES_PER_TOKEN[part.format]
    return tokens


@dataclass(frozen=True, kw_only=True)
class Estimate:
    """What a run will take.

    Attributes:
        total: items times rounds
        stored: of these, finished in an earlier run
        cached: of these, replies in the cache
        calls: what is left to ask; repair requests come on top
        prompt_tokens: of these calls, estimated
        completion_tokens: at most so many, from ``max_tokens``; None when a request does not limit its reply
        price: of the model, None when it is not known
        currency: of the price
    """

    total: int
    stored: int
    cached: int
    calls: int
    prompt_tokens: int
    completion_tokens: int | None
    price: Price | None = None
    currency: str = "USD"

    @property
    def least_cost(self) -> float | None:
        """Money for the prompts alone; None when the price is not known."""
        return None if self.price is None else self.price.of(Usage(prompt_tokens=self.prompt_tokens))

    @property
    def most_cost(self) -> float | None:
        """Money when each reply is as long as it may be; None when that or the price is not known."""
        if self.price is None or self.completion_tokens is None:
            return None
        return self.price.of(Usage(prompt_tokens=self.prompt_tokens, completion_tokens=self.completion_tokens))

    def __str__(self) -> str:
        replies = (
            "replies of unknown length (no max_tokens)"
            if self.completion_tokens is None
            else f"at most {self.completion_tokens:,} completion tokens"
        )
        lines = [
            f"{self.total:,} replies wanted: {self.stored:,} stored, {self.cached:,} in the cache, {self.calls:,} calls to make",
            f"about {self.prompt_tokens:,} prompt tokens, {replies}",
            HOW,
        ]
        if self.price is None:
            lines.append("cost unknown: the model is not in a price list")
        elif self.most_cost is None:
            lines.append(f"at least {self.least_cost:.4f} {self.currency}; set max_tokens for an upper limit")
        else:
            lines.append(f"from {self.least_cost:.4f} to {self.most_cost:.4f} {self.currency}")
        return "\n".join(lines)
