"""Models in this process, through transformers (extra ``local``). Importing this is cheap; torch comes with the first model."""

from mmrole.llm.local.chat import LocalChatModel
from mmrole.llm.local.classifiers import AudioClassifier, Classification, TextClassifier, ZeroShotClassifier

__all__ = ["AudioClassifier", "Classification", "LocalChatModel", "TextClassifier", "ZeroShotClassifier"]
