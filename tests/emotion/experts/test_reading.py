from emotion.experts.expert import Case
from emotion.experts.reading import texts_of_stream


def test_what_each_stream_shows():
    case = Case(
        utterance_id="u",
        speaker="Ann",
        text="said",
        descriptions={"body": "b", "face": "f", "speech": " ", "text": "t"},
    )
    found = {stream: texts_of_stream(case, stream) for stream in ("all", "text", "face", "body", "speech")}
    assert found == {"all": ["said", "t", "f", "b"], "text": ["said", "t"], "face": ["f"], "body": ["b"], "speech": []}
