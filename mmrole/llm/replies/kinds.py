"""The words of each kind of answer, in English and Chinese."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import lru_cache
from typing import Final

from mmrole.llm.replies.anchors import Anchors

_CONCLUSIONS: Final = (
    r"(?:therefore|thus|hence|so|ultimately|finally|in conclusion|in the end|overall|in short|definitely|probably|most likely"
    r"|i'd lean towards?|(?:no|wait|actually|rather|sorry|scratch that)(?=[,:]))(?![A-Za-z])[,:]? ?"
)
_CONCLUSIONS_ZH: Final = (
    r"(?:因此|所以|综上所述|综上|总之|应该是|应該是|可能是|大概是|觉得是?|认为是?|就是|而是|肯定是|一定是|只能是|不对|更正|不(?=,))"
    r"[,:]? ?"
)
LABEL_ANCHORS: Final = Anchors(
    nouns=(
        r"answers?|labels?|emotions?|feelings?|category|class|classification|prediction|verdict|decision|conclusion|judge?ment"
        r"|result|output|choice|annotation"
    ),
    nouns_zh=(
        r"(?:情绪|情緒|情感)(?:标签|標籤|类别|類別|类型|分类|状态|判断|识别)?(?:结果)?|标签|標籤|类别|類別|分类|答案|结论|結論"
        r"|判断结果|识别结果|预测结果|最终判断|结果"
    ),
    verbs=(
        r"(?:label(?:l?ed)?|classif(?:y|ied)|categori[sz]ed?|identif(?:y|ied)|tag(?:ged)?|interpret(?:ed)?|described?|annotated?"
        r"|judged?|characteri[sz]ed?)(?:[^\n.;:!?]{0,60}?) as(?![A-Za-z])"
        r"|(?:choose|pick|select|go with|opt for|chose|selected|picked|going with|settle on)(?![A-Za-z])"
    ),
    verbs_zh=r"(?:归类|歸類|分类|标注|判断|判定|识别|描述|归|定)(?:为|為|成|到)|选择|選擇|应选|應選|故选|我选|我選",
    tags="answer|label|emotion|result|prediction|output|category|情绪|答案|标签",
    conclusions=_CONCLUSIONS,
    conclusions_zh=_CONCLUSIONS_ZH,
    verbs_reach=True,
)
CHOICE_ANCHORS: Final = Anchors(
    nouns=(
        r"answers?|choice|option|selection|decision|verdict|pick|conclusion|result|letter|solution|judge?ment|preference|winner"
        r"|response"
    ),
    nouns_zh=r"答案|选项|選項|选择|選擇|结论|結論|回答|决定|決定|判断结果|结果",
    verbs=(
        r"(?:choose|chose|chosen|chooses|picks?|picked|selects?|selected|going with|goes with|go with|went with|opt(?:s|ed)? for"
        r"|vote(?:s|d)? for|settled? on|settles on|prefer(?:s|red)?|decided? (?:on|for|in favou?r of)|stick(?:ing)? with"
        r"|lean(?:s|ing)? towards?|favou?rs?|side with|i(?:'d| would)?(?: have to)? (?:think|believe|say|guess)(?: it's| it is| that)?"
        r"|it's|it is|it must be|it has to be|that's|that is|that would be)(?![A-Za-z])"
    ),
    verbs_zh=r"(?:选择|選擇|挑选|选定|选取|倾向于?|傾向於?|偏向于?|支持|选|選|挑)(?:了|的是|的就是|项|擇)?",
    tags="answer|choice|option|result|decision|verdict|selection|output|答案|选项|选择",
    conclusions=_CONCLUSIONS,
    conclusions_zh=_CONCLUSIONS_ZH,
    denials=r"not(?! only| just| merely| sure| that)(?![A-Za-z])",
    denials_zh=r"不是|并非|不选择?|不選擇?|不会选择?|排除",
)
NUMBER_ANCHORS: Final = Anchors(
    nouns=(
        r"scores?|scored|rating|rated|grade|marks?|points|verdict|answer|result|evaluation|value|estimate|final number|output"
    ),
    nouns_zh=(r"评分|評分|分数|分數|得分|打分|分值|总分|總分|评级|評級|答案|结果|结论|数值|數值|评价|評價|评估"),
    verbs=(
        r"(?:rates?|rated|rating|scores?|scored|gives?|gave|giving|assign(?:s|ed)?|award(?:s|ed)?|grades?|graded|deserves?|merits?"
        r"|earns?|earned|receives?|gets?|choose|pick)(?![A-Za-z])[^\n.;:!?\d]{1,60}?(?=[-+.]?\d)"
    ),
    verbs_zh=(
        r"(?:打|评|評|给|給|得|评为|評為|给出|打出|给予)(?:了|出|到|他|她|它|这个|这条|该|回答|回复|分数|评分|为|上|的分数是|的分是|的评分是){0,4}"
    ),
    tags="score|rating|grade|answer|result|value|output|points|评分|分数|得分|答案",
    conclusions=_CONCLUSIONS,
    conclusions_zh=_CONCLUSIONS_ZH,
    adjacent=True,
    verbs_reach=True,
)


@lru_cache(maxsize=64)
def with_names(anchors: Anchors, names: tuple[str, ...]) -> Anchors:
    """The words of a kind together with the field names that a prompt asked for.

    Names that are not ASCII join the Chinese nouns, the others the English ones.
    """
    words = [re.findall(r"[^\W_]+", name) for name in sorted(names, key=len, reverse=True)]
    own = [r"[\s_-]?".join(map(re.escape, name)) for name in words if name]
    latin, han = [name for name in own if name.isascii()], [name for name in own if not name.isascii()]
    return replace(
        anchors,
        nouns="|".join([*latin, anchors.nouns]),
        nouns_zh="|".join([*han, anchors.nouns_zh]),
        tags="|".join([*own, anchors.tags]),
    )
