"""From measured features to descriptions in words: by rules, or by a language model with or without eyes."""

from emotion.describers.body import BodySummary, summarise_body
from emotion.describers.embedded import describe_body, describe_face, describe_speech
from emotion.describers.face import FaceSummary, summarise_face
from emotion.describers.measures import BodyMeasures, FaceMeasures, SpeechMeasures
from emotion.describers.reading import DescriptionReply, read_description

__all__ = [
    "BodyMeasures",
    "BodySummary",
    "DescriptionReply",
    "FaceMeasures",
    "FaceSummary",
    "SpeechMeasures",
    "describe_body",
    "describe_face",
    "describe_speech",
    "read_description",
    "summarise_body",
    "summarise_face",
]
