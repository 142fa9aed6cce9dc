"""Words of the pictures of scores, in English and Chinese."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from emotion.glossary import REASONS
from mmrole.core.errors import UsageError
from mmrole.core.labels import LabelSet, label_set
from mmrole.core.languages import LANGUAGES, Language
from mmrole.plotting.fonts import chinese_family

Labels = LabelSet | str | Sequence[str]
"""A label set, its name, or names to be shown as they are."""

_CHINESE: Final = {
    "true": "真实",
    "predicted": "预测",
    "ambiguous": "不明确",
    "invalid": "无效",
    "no": "否",
    "yes": "是",
    "agent": "智能体",
    "ground truth": "真值",
    "agent − ground truth": "智能体 − 真值",
    "label before": "前一标签",
    "label after": "后一标签",
    "responses": "回应",
    "utterances": "话语",
    "{number} {what}": "{number} 条{what}",
    "all roles": "全部角色",
    "large: share of the row, small: number": "大字：行内占比，小字：数量",
    "share of the row": "行内占比",
    "share of the row: label after, given the label before": "行内占比：给定前一标签时的后一标签",
    "number, colour: share of the row": "数量，颜色：行内占比",
    "share of all transitions": "占全部转移的比例",
    "number of transitions": "转移数量",
    "–: nothing in this row": "–：该行为空",
    "emotion recognition": "情绪识别",
    "emotions of responses": "回应的情绪",
    "P {precision}  R {recall}  F1 {f1}": "P {precision}  R {recall}  F1 {f1}",
    "yes: among the labels of the response   ·   P: precision, R: recall": "是：属于该回应的标签   ·   P：精确率，R：召回率",
    "intra": "话轮内",
    "inter": "话轮间",
    "same_speaker": "同一说话人",
    "transitions within a turn": "话轮内的情绪转移",
    "transitions from the turn before": "从前一话轮的情绪转移",
    "transitions from the role's own turn before": "从该角色前一话轮的情绪转移",
    "transitions": "情绪转移",
    "role: {role}": "角色：{role}",
    "n = {n}": "n = {n}",
    "n: {unit}": "n：{unit}",
    "roles": "角色",
    "pairs of roles": "角色对",
    "samples": "样本",
    "items": "条目",
    "decisions": "决定",
    "dilemmas": "两难处境",
    "answers": "回答",
    "agent: less often": "智能体较少",
    "more often": "较多",
    "precision": "精确率",
    "recall": "召回率",
    "precision and recall of each label": "各标签的精确率与召回率",
    "grey curves: equal F1": "灰线：F1 相等",
    "predicted too rarely": "预测过少",
    "predicted too often": "预测过多",
    "never predicted, so no precision:": "从未被预测，无精确率：",
    "not in the truth, so no recall:": "真值中没有，无召回率：",
    "neither true nor predicted:": "真值与预测中均无：",
    "more is better": "越高越好",
    "less is better": "越低越好",
    "nearest to 0 is best": "越接近 0 越好",
    "no value: {reason}": "无值：{reason}",
    "emotions of a dialogue": "对话的情绪时间线",
    "utterance": "话语",
    "no label": "无标签",
    "dialogue {name}": "对话 {name}",
    "utterances are missing": "缺少话语",
    "no response": "无回应",
    "not scored": "未评分",
    "role consistency": "角色一致性",
    "episode": "剧集",
    "bars: 95 % intervals": "竖线：95 % 区间",
    "experience": "经历",
    "relationships": "人物关系",
    "characteristics": "性格特征",
    "none": "无",
    "no value": "无值",
    "no predictions: {reason}": "无预测：{reason}",
    "{n} samples in a point": "每点 {n} 个样本",
    "lower": "细粒度",
    "upper": "粗粒度",
    "all": "全部",
    "face": "面部",
    "body": "身体",
    "speech": "语音",
    "text": "文本",
    "same speaker": "同一说话人",
    "† biased under resampling: the interval need not hold the value": "† 重抽样有偏：区间未必包含该值",
    "‡ the definitions differ between the runs": "‡ 各次运行的定义不同",
}
"""English phrase -> the same in Chinese."""


_CHINESE_REASONS: Final = {
    "not_two_speakers": "对话并非恰好两位说话人，不评分",
    "no_predecessor": "对话的首个话轮，无需生成",
    "no_role": "说话人不是角色（如“其他”）",
    "no_votes": "没有对其回应的投票",
    "no_predictions": "没有预测",
    "no_pairable_units": "没有可比较两个标签的话语",
    "no_variation": "取值全部相同",
    "no_sentiment_map": "该标签集没有到情感的映射",
    "no_utterances": "没有可评分的话语",
    "no_class": "没有出现任何标签",
    "no_responses": "没有可评分的回应",
    "no_scorable_responses": "没有可计入的回应",
    "no_roles": "没有角色有足够的转移",
    "fewer_than_two_roles": "有足够转移的角色少于两个",
    "no_samples": "没有该方面的判定",
    "no_valid_judgement": "没有有效的判定",
    "few_transitions": "角色的转移过少",
}
"""Reason -> what it says, in Chinese; in English `emotion.glossary.REASONS` says it."""


@dataclass(frozen=True, kw_only=True)
class Wording:
    """The words of a language; made by `wording`.

    Attributes:
        language: ``en`` or ``zh``
    """

    language: Language

    def __call__(self, phrase: str, **values: object) -> str:
        """A phrase of the pictures, with values in the place of the names in braces."""
        return (_CHINESE.get(phrase, phrase) if self.language == "zh" else phrase).format(**values)

    def reason(self, code: str) -> str:
        """What a reason code of scores says; the code alone where nothing says more."""
        meant = REASONS.get(code)
        chinese = _CHINESE_REASONS.get(code) if self.language == "zh" else None
        # an example in another script needs letters that the picture may not have
        return chinese or (meant or code.replace("_", " ")).partition(", such as ")[0]

    def code(self, reason: str) -> str:
        """A reason code where there is little room: the code that the tables explain, or what it says in Chinese."""
        return _CHINESE_REASONS.get(reason, reason) if self.language == "zh" else reason

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


def unsigned(value: float | None, digits: int = 2) -> str:
    """A number from 0 in few letters; what is not there is a dash.

    >>> unsigned(0.623), unsigned(1.0), unsigned(0.0), unsigned(0.001), unsigned(None), unsigned(1234.0, 0)
    ('.62', '1.00', '0', '.00', '–', '1,234')
    """
    if value is None or value != value:
        return "–"
    return "0" if value == 0 else f"{value:,.{digits}f}".removeprefix("0")


def signed(value: float, digits: int = 2) -> str:
    """A difference in few letters.

    >>> signed(0.31), signed(-0.025), signed(0.0), signed(-0.001), signed(-1234.0, 0)
    ('+.31', '−.03', '0', '.00', '−1,234')
    """
    text = unsigned(abs(value), digits)
    return text if not value or text.strip(".0–") == "" else f"{'+' if value > 0 else '−'}{text}"
