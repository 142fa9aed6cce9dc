"""The one repair request after a reply that cannot be read."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from mmrole.llm.chat import ChatRequest, assistant, user

_CHINESE = re.compile("[\u4e00-\u9fff]")


@dataclass(frozen=True, kw_only=True)
class Repair:
    """What is said after a reply that cannot be read; it follows the conversation and that reply.

    Attributes:
        english: when the last message of the request has no Chinese character in it
        chinese: when it has
    """

    english: str = (
        "Your answer could not be read. Give only the answer, in the form that was asked for, and nothing else."
    )
    chinese: str = "无法读取你的回答。请只按照要求的格式给出答案，不要输出任何其他内容。"

    def request(self, request: ChatRequest, answer: str) -> ChatRequest:
        """The request that asks for a readable answer.

        Args:
            request: what was asked
            answer: the reply that cannot be read
        """
        said = self.chinese if _CHINESE.search(request.messages[-1].text) else self.english
        return replace(request, messages=(*request.messages, assistant(answer), user(said)))

    def to_record(self) -> dict[str, str]:
        """As JSON values, for keys: another wording is another question."""
        return {"english": self.english, "chinese": self.chinese}
