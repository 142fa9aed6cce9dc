"""Reads answers out of the replies of language models, in English and Chinese.

Four functions, one for each kind of answer, share one cascade (see `mmrole.llm.replies.cascade`). Each gives a `Reply`: its
status, the value when there is one, the rule that decided, and the raw text. A reply that cannot be read is *unparsed*: it is
counted, and it is neither a wrong answer nor the nearest right one.
"""

from mmrole.llm.replies.choices import parse_choice
from mmrole.llm.replies.labels import parse_label
from mmrole.llm.replies.reply import Note, Reply, ReplyStatus, Rule
from mmrole.llm.replies.scores import parse_number
from mmrole.llm.replies.structured import parse_json

__all__ = ["Note", "Reply", "ReplyStatus", "Rule", "parse_choice", "parse_json", "parse_label", "parse_number"]
