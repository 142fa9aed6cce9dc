"""Words of the pictures of scores, in English and Chinese."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

from mmrole.core.errors import UsageError
from mmrole.core.labels import LabelSet, label_set
from mmrole.plotting.fonts import chinese_family

Language = Literal["en", "zh"]
LANGUAGES: Final[tuple[Language, ...]] = get_args(Language)

Labels = LabelSet | str | Sequence[str]
"""A label set, its name, or names to be shown as they are."""

_CHINESE: Final = {
    "true": "真实", "predicted": "预测", "ambiguous": "不明确", "invalid": "无效", "no": "否", "yes": "是", "agent": "智能体",
    "ground truth": "真值", "agent − ground truth": "智能体 − 真值", "label before": "前一标签", "label after": "后一标签",
    "responses": "回应", "utterances": "话语", "{number} {what}": "{number} 条{what}", "all roles": "全部角色",
    "large: share of the row, small: number": "大字：行内占比，小字：数量", "share of the row": "行内占比",
    "number, colour: share of the row": "数量，颜色：行内占比", "share of all transitions": "占全部转移的比例",
    "number of transitions": "转移数量", "–: nothing in this row": "–：该行为空", "row share": "行内占比", "share": "比例",
    "emotion recognition": "情绪识别", "labels of responses": "回应的标签", "P {precision}  R {recall}  F1 {f1}": "P {precision}  R {recall}  F1 {f1}",
    "P: precision, R: recall": "P：精确率，R：召回率", "intra": "话轮内", "inter": "话轮间", "same_speaker": "同一说话人",
    "transitions within a turn": "话轮内的情绪转移", "transitions from the turn before": "从前一话轮的情绪转移",
    "transitions from the role's own turn before": "从该角色前一话轮的情绪转移", "transitions": "情绪转移", "role: {role}": "角色：{role}",
    "n = {n}": "n = {n}", "n": "n", "none": "无", "the agent has it less often": "智能体较少", "more often": "智能体较多",
    "precision": "精确率", "recall": "召回率", "precision and recall of each label": "各标签的精确率与召回率",
    "predicted too rarely": "预测过少", "predicted too often": "预测过多", "never predicted, so no precision:": "从未被预测，无精确率：",
    "not in the truth, so no recall:": "真值中没有，无召回率：", "neither true nor predicted:": "真值与预测中均无：",
    "more is better": "越高越好", "less is better": "越低越好", "nearest to 0 is best": "越接近 0 越好", "no value: {reason}": "无值：{reason}",
    "emotions of a dialogue": "对话的情绪时间线", "utterance": "话语", "speaker": "说话人", "no label": "无标签", "no response": "无回应",
    "both": "两者相同", "† the definitions differ between the runs": "† 各次运行的定义不同",
}  # fmt: skip
"""English phrase -> the same in Chinese."""


@dataclass(frozen=True, kw_only=True)
class Wording:
    """The words of a language; made by `wording`.

    Attributes:
        language: ``en`` or ``zh``
    """

    language: Language

    def __call__(self, phrase: str, **values: object) -> str:
        """A phrase of the pictures, with values in the place of the names in braces."""
        return (_CHINESE[phrase] if self.language == "zh" else phrase).format(**values)

    def labels(self, labels: Labels) -> tuple[str, ...]:
        """Names of labels for people, in order; the label itself where the language has none."""
        if isinstance(labels, str):
            labels = label_set(labels)
        return labels.display_names(self.language) if isinstance(labels, LabelSet) else tuple(labels)


def wording(language: str) -> Wording:
    """The words of a language.

    Without a font that has Chinese the words are English, and a warning says so.

    Args:
        language: ``en`` or ``zh``

    Raises:
        UsageError: another language
    """
    if language not in LANGUAGES:
        raise UsageError(f"the language of a picture is one of {', '.join(LANGUAGES)}, not {language!r}")
    if language == "zh" and chinese_family() is None:
        warnings.warn(
            "no installed font has Chinese, so the picture is in English; install one such as the package fonts-noto-cjk",
            UserWarning,
            stacklevel=3,
        )
        return Wording(language="en")
    return Wording(language="zh" if language == "zh" else "en")


def fraction(value: float | None) -> str:
    """A share in few letters.

    >>> fraction(0.623), fraction(1.0), fraction(0.0), fraction(0.001), fraction(None)
    ('.62', '1.00', '0', '.00', '–')
    """
    if value is None or value != value:
        return "–"
    return "0" if value == 0 else f"{value:.2f}".removeprefix("0")


def signed_fraction(value: float) -> str:
    """A difference of shares in few letters.

    >>> signed_fraction(0.31), signed_fraction(-0.025), signed_fraction(0.0), signed_fraction(-0.001)
    ('+.31', '−.03', '0', '.00')
    """
    if value == 0 or value != value:
        return fraction(value)
    text = f"{abs(value):.2f}".removeprefix("0")
    return text if text == ".00" else f"{'+' if value > 0 else '−'}{text}"
