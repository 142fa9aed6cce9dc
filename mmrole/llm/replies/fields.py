"""The names under which models put their answers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

from mmrole.llm.replies.folding import fold
from mmrole.llm.replies.strict import Repeated


def field_key(name: str) -> str:
    """A name without what does not tell it from another: width, case, spaces, hyphens, underscores."""
    return fold(name).casefold().translate(_NO_JOINTS)


_NO_JOINTS: Final = dict.fromkeys(map(ord, " _-.*\t\n"), None)


def _keys(names: str) -> frozenset[str]:
    return frozenset(names.split())


_ANSWER: Final = _keys(
    "answer finalanswer theanswer myanswer final result finalresult output verdict finalverdict decision finaldecision "
    "conclusion prediction predicted value "
    "答案 最终答案 最後答案 最终結果 结果 結果 最终结果 结论 結論 判断 判斷 预测 預測 输出 輸出 回答 决定 決定 判定"
)
LABEL_FIELDS: Final = _ANSWER | _keys(
    "label labels finallabel predictedlabel emotion emotions emotionlabel emotionlabels emotioncategory emotionclass "
    "emotiontype finalemotion predictedemotion primaryemotion mainemotion dominantemotion overallemotion fusedemotion "
    "category class classification sentiment sentimentlabel feeling choice "
    "情绪 情緒 情感 情绪标签 情緒標籤 情感标签 情感標籤 情绪类别 情緒類別 情感类别 情绪类型 情绪分类 情感分类 标签 標籤 类别 類別 "
    "分类 分類 主要情绪 最终情绪 预测情绪 情绪状态 情感倾向 情感极性"
)
CHOICE_FIELDS: Final = _ANSWER | _keys(
    "choice finalchoice mychoice choices option finaloption chosenoption chosen selectedoption selected selection "
    "selectedanswer chosenanswer correctanswer correctoption bestanswer bestoption answeroption answerletter "
    "optionletter letter label pick winner preference preferred better "
    "选项 選項 选择 選擇 最终选择 最終選擇 所选 所選 所选项 正确答案 正確答案 正确选项 正確選項 我的选择 选择的选项"
)
NUMBER_FIELDS: Final = _ANSWER | _keys(
    "score finalscore overallscore totalscore scores rating finalrating overallrating overall grade finalgrade mark marks "
    "points rate number numericscore estimate evaluation "
    "评分 評分 分数 分數 得分 打分 分值 总分 總分 最终评分 最終評分 最终得分 最终分数 总体评分 综合评分 綜合評分 综合得分 评级 評級 "
    "数值 數值 评价 評價 评估 評估"
)
INNER_FIELDS: Final = frozenset(
    {"value", "name", "label", "text", "id", "key", "letter", "option", "score", "值", "名称"}
)
"""Where a declared field holds an object: ``{"emotion": {"label": "happy", "confidence": 0.9}}``."""


class Hit:
    """Values of the declared fields of an object.

    Attributes:
        values: one for each field that is there
        repeated: one of them was given twice, with different values
    """

    __slots__ = ("repeated", "values")

    def __init__(self, values: list[Any], *, repeated: bool) -> None:
        self.values = values
        self.repeated = repeated


def declared(value: Any, names: frozenset[str], own: Iterable[str] = ()) -> Hit | None:
    """Looks for declared fields, at the shallowest level that has one.

    Args:
        value: an object, or a list of objects
        names: usual names, as `field_key` gives them
        own: names that the prompt asked for; where one of them is there, only these count

    Returns:
        the values, or None without any such field
    """
    asked = frozenset(map(field_key, own))
    level = [value]
    for _ in range(6):
        fields: list[tuple[str, Any, bool]] = []
        below: list[Any] = []
        for part in level:
            if isinstance(part, dict):
                twice = part.keys_repeated if isinstance(part, Repeated) else ()
                for key, inner in part.items():
                    name = field_key(str(key))
                    if name in asked or name in names:
                        fields.append((name, inner, key in twice))
                    elif isinstance(inner, dict | list):
                        below.append(inner)
            elif isinstance(part, list):
                below.extend(part)
        for preferred in (asked, frozenset(name for name, *_ in fields if name.startswith(("final", "最终", "最終")))):
            chosen = [field for field in fields if field[0] in preferred]
            if chosen:
                fields = chosen
                break
        if fields:
            return Hit([inner for _, inner, _ in fields], repeated=any(twice for *_, twice in fields))
        level = below
    return None
