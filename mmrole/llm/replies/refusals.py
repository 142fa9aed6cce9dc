"""Refusals and abstentions in English and Chinese.

A phrase counts at the beginning of a sentence and in the first person, and never inside quotation marks: characters say "I
cannot help you" too. It is looked for only after no answer was found where answers stand.
"""

from __future__ import annotations

import re
from typing import Final

from mmrole.llm.replies.folding import quoted_spans
from mmrole.llm.replies.reply import Rule

_HAN: Final = re.compile(r"[\u4e00-\u9fff]")
_SAYS_NO: Final = re.compile(
    r"(?=[n'cudrvgbxil])(?:not|n't|'t |cannot|unable|decline|refuse|violate|against|block|flag|reject|inappropriate|uncomfortable|breach"
    r"|impossible|insufficient|have no|lack)",
    re.IGNORECASE,
)
"""A word that every refusal and abstention has one of: most replies end here."""
_SENTENCE_END: Final = re.compile(r"[.!?。！？;；\n]\s?")
_OPENER: Final = re.compile(
    r"(?:(?:i'm|i am|we're|we are) (?:really |very |so |truly |terribly |deeply )?(?:sorry|afraid)|sorry|unfortunately|regrettably"
    r"|apologies|my apologies|i apologi[sz]e|as an? |however|but |so |therefore|since |because |given |for |while |although |thank"
    r"|i fear|i understand|i appreciate|i see |i know |no\b|please |honestly|at this |in this case)",
    re.IGNORECASE,
)
"""How a sentence may begin before it declines."""

_UNABLE: Final = (
    r"(?:i|we)(?:'m| am|'re| are)? ?(?:can't|cannot|can not|could not|couldn't|won't|will not|unable to|not able to"
    r"|would not be able to|wouldn't be able to|do not|don't|not going to)"
)
_DEEDS: Final = (
    r"(?:help|assist|provide|answer|comply|fulfil|fulfill|complete|engage|participate|discuss|create|generate|write|continue"
    r"|do (?:that|this|so)|support|analy[sz]e|respond|reply|process|give|offer|share"
    r"|(?:choose|select|pick)(?! (?:option )?\(?[a-z]\b)|classify|label|rate"
    r"|score|grade|role-?play|play|impersonate|pretend|proceed|perform|express|make (?:a|this|that|such)|evaluate"
    r"|accommodate|endorse|have (?:feelings|emotions|personal|opinions|preferences|the ability|access))"
)
_DOUBTS: Final = (
    r"(?:determine|tell|decide|identify|infer|judge|assess|know|access|view|see (?:the|any|images?|videos?)"
    r"|be (?:sure|certain)|recogni[sz]e|reliably|accurately|definitively|confidently)"
)
_REFUSAL_EN: Final = re.compile(
    rf"\b(?:"
    rf"{_UNABLE} (?:be able to |really |directly |in good conscience )?{_DEEDS}\b"
    rf"|(?:i|we) (?:can't|cannot|can not|won't|will not)(?: do (?:that|this|it))?(?=[.!]|$)"
    r"|(?:i|we)(?:'m| am|'re| are|'d| would)? ?(?:must |have to |respectfully |politely )*(?:decline|refuse)\b"
    r"|(?:i|we)(?:'d| would) (?:rather|prefer) not\b|(?:i|we) prefer not to\b"
    r"|(?:i|we)(?:'m| am|'re| are)? (?:not (?:allowed|permitted|comfortable|willing|programmed|designed)|uncomfortable)\b"
    r"|(?:i|we) (?:don't|do not) feel comfortable\b"
    r"|(?:this|that|it|your request|the request|the content)[^.\n]{0,60}? (?:violates?|goes against|is against|was (?:blocked|flagged"
    r"|rejected)|breaches) "
    r"|(?:this|that|it)(?:'s| is| would be) (?:not appropriate|inappropriate) for me\b"
    r"|can't assist|cannot assist|can't help with|cannot help with|unable to (?:assist|help|comply|answer)\b"
    r"|as an? (?:ai|artificial intelligence|(?:large )?language model)\b[^.\n]{0,60}? i (?:can't|cannot|don't|do not|am unable|"
    r"am not able|'m unable|'m not able|lack|have no)\b)",
    re.IGNORECASE | re.MULTILINE,
)
_ABSTENTION_EN: Final = re.compile(
    rf"\b(?:{_UNABLE} (?:be able to )?{_DOUBTS}\b"
    r"|(?:i|we)(?:'m| am|'re| are) not (?:sure|certain)(?: (?:whether|if|what|which|how|who|about|of)\b|(?=\.?$))"
    r"|i have no (?:idea|way)\b|i (?:don't|do not) have enough\b"
    r"|(?:it|this) (?:is|'s) (?:impossible|not possible) to\b|(?:it|this) cannot be determined\b|(?:cannot|can't) (?:be )?determined?\b"
    r"|there(?:'s| is) (?:not enough|insufficient|no)\s[^.\n]{0,20}?(?:information|context|evidence)\b"
    r"|not enough (?:information|context)\b|insufficient (?:information|context)\b)",
    re.IGNORECASE | re.MULTILINE,
)
_WHO_ZH: Final = r"(?:我|我们|本人|本助手|本模型|很?抱歉|非常抱歉|对不起|對不起|不好意思|请原谅|作为[^。\n,]{0,24}?,)"
_UNABLE_ZH: Final = r"(?:无法|無法|不能|不便|不可以|没法|沒法|没办法|沒辦法|拒绝|拒絕|不应该|不方便|恕难)"
_DEEDS_ZH: Final = (
    r"(?:回答|回應|回应|提供|帮助|帮你|帮您|幫助|协助|协助您|满足|滿足|完成|处理|處理|参与|讨论|討論|继续|繼續|评分|打分|(?:选择|選擇)(?![A-Za-z])|生成|给出|給出"
    r"|分析|扮演|执行|評分|作答|做出|评价|这个请求|该请求|这样做|遵从)"
)
_REFUSAL_ZH: Final = re.compile(
    rf"{_WHO_ZH}[^。\n]{{0,14}}?{_UNABLE_ZH}[^。\n]{{0,20}}?{_DEEDS_ZH}"
    rf"|(?:^|[。！\n,]){_UNABLE_ZH}(?:就此|为您|为你|对此)?[^。\n]{{0,4}}?{_DEEDS_ZH}"
    r"|作为(?:一个|一名|一款)?(?:AI|人工智能|大?语言模型|大模型|智能助手|助手)[^。\n]{0,40}?(?:无法|不能|没有|不会|不具备|不应)"
    r"|无可奉告|(?:违反|不符合)[^。\n]{0,12}?(?:规定|政策|准则|法律|法规|规范)|换个话题|这个问题我(?:无法|不能)|我还没学会",
    re.IGNORECASE | re.MULTILINE,
)
_ABSTENTION_ZH: Final = re.compile(
    r"(?:^|[。！\n,]|我|抱歉|对不起|信息不足|目前|暂时|因此|所以)(?:也|实在|暂时|目前|并)?"
    r"(?:(?:无法|無法|不能|难以|難以|没办法)(?:准确|確切|确切|明确|直接)?(?:地)?"
    r"(?:判断|判斷|确定|確定|识别|識別|辨别|分辨|得知|推断|看出)"
    r"|(?:不确定|不知道|不清楚)(?:他|她|该|其|说话人|是|什么|哪|如何|怎么|。?$))"
    r"|(?:信息|資訊|上下文|证据|内容)(?:太少|不足|不够)",
    re.MULTILINE,
)


def declined(text: str) -> Rule | None:
    """The rule by which a plain text (`folding.plain`) is a refusal or an abstention, or None.

    >>> declined("I'm sorry, but I can't help with that.")
    <Rule.REFUSAL_PHRASE: 'refusal_phrase'>
    """
    text = _outside_quotes(text)
    han, latin = _HAN.search(text) is not None, _SAYS_NO.search(text) is not None
    if (latin and _opens(_REFUSAL_EN, text)) or (han and _REFUSAL_ZH.search(text)):
        return Rule.REFUSAL_PHRASE
    if (latin and _opens(_ABSTENTION_EN, text)) or (han and _ABSTENTION_ZH.search(text)):
        return Rule.ABSTENTION
    return None


def _opens(pattern: re.Pattern[str], text: str) -> bool:
    """Whether a phrase begins a sentence, or follows words with which a refusal is begun."""
    for match in pattern.finditer(text):
        before = text[max(0, match.start() - 160) : match.start()]
        sentence = _SENTENCE_END.split(before)[-1].lstrip(" \"'>-")
        if not sentence or _OPENER.match(sentence):
            return True
    return False


def _outside_quotes(text: str) -> str:
    spans = quoted_spans(text)
    if not spans or spans == [(0, len(text))]:
        return text
    parts, position = [], 0
    for start, end in spans:
        parts.append(text[position:start])
        position = end
    return " … ".join([*parts, text[position:]])
