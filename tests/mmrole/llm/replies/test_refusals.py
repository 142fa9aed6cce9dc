"""Phrases with which models decline, and phrases that only look so. All written for this table."""

import pytest

from mmrole.llm.replies.folding import plain
from mmrole.llm.replies.refusals import declined

REFUSALS = [
    "I cannot help with that.",
    "I can’t help with that.",
    "Sorry, but I can't assist with this request.",
    "I'm sorry, I am unable to provide an answer.",
    "I understand your concern, but I can't help with that.",
    "Unfortunately, I won't be able to help. I cannot comply.",
    "I apologize, but I cannot fulfill this request.",
    "As a language model, I don't have emotions.",
    "I must respectfully decline.",
    "I'd rather not answer this.",
    "I'm not comfortable rating this.",
    "I am not allowed to discuss this.",
    "This request violates our content policy.",
    "I can't.",
    "I cannot role-play this character.",
    "很抱歉，我无法满足您的请求。",
    "我不能扮演这个角色。",
    "作为一个AI助手，我没有个人情感。",
    "该内容违反相关规定。",
    "无法回答。",
    "我们换个话题吧。",
]
ABSTENTIONS = [
    "I cannot determine the emotion.",
    "I'm not sure which one it is.",
    "I don't know.",
    "There is not enough information.",
    "It is impossible to tell.",
    "无法确定说话人的情绪。",
    "信息不足。",
    "我不知道。",
]
NONE = [
    "I can help with that.",
    "She cannot help crying.",
    'He says "I cannot help you".',
    "他说：“我无法回答。”",
    "I'm sorry for her; she is sad.",
    "She would decline the offer.",
    "I would not choose A.",
    "我不会选A。",
    "The speaker can't answer, out of fear.",
    "This is not a happy line.",
    "I cannot choose A, so B it is.",
    "非常抱歉的语气",
    "I have no doubt that it is fear.",
    "",
]


@pytest.mark.parametrize("reply", REFUSALS)
def test_refusal(reply):
    assert declined(plain(reply)) == "refusal_phrase"


@pytest.mark.parametrize("reply", ABSTENTIONS)
def test_abstention(reply):
    assert declined(plain(reply)) == "abstention"


@pytest.mark.parametrize("reply", NONE)
def test_neither(reply):
    assert declined(plain(reply)) is None
