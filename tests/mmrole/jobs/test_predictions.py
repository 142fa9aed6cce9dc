import pytest

from mmrole.core.errors import InputError
from mmrole.jobs.predictions import PredictionFile


def test_a_table_with_other_columns_and_line_breaks(tmp_path):
    path = tmp_path / "p.csv"
    path.write_bytes('\ufeffid,label,utterance_id\r\n1,"joy"," u1 "\r\n2,"a\r\nb",u2\r\n'.encode())
    records = PredictionFile(path)
    assert [(r["utterance_id"], r["label"]) for r in records] == [("u1", "joy"), ("u2", "a\r\nb")]
    assert records.place(0) == f"{path}, line 2"


def test_lines_of_a_stream(tmp_path):
    path = tmp_path / "p.jsonl"
    path.write_text('{"stream": "face", "label": 1}\n\n{"stream": "all", "label": 2}\n{"stream": "face", "label": 3}\n')
    records = PredictionFile(path, stream="face")
    assert [r["label"] for r in records] == [1, 3]
    assert [records.place(n) for n in (0, 1)] == [f"{path}, line 1", f"{path}, line 4"]


@pytest.mark.parametrize(
    ("content", "stream", "message"),
    [
        (
            "utterance,label\nu,joy\n",
            None,
            r"p: no column utterance_id; predictions are JSONL records or a CSV table with",
        ),
        ("utterance_id,label\n", None, "p: there are no predictions"),
        ("utterance_id,label\nu\n", None, "p, line 2: 1 fields, the header has 2"),
        ('{"stream": "all"}\n', "face", "p: there are no predictions of the stream 'face'; there are all"),
        ("", None, "p: the file is empty"),
        ("[1]", None, "p, line 1: a list, not an object"),
    ],
)
def test_what_cannot_be_read(tmp_path, content, stream, message):
    (tmp_path / "p").write_text(content)
    with pytest.raises(InputError, match=message):
        list(PredictionFile(tmp_path / "p", stream=stream))


def test_a_file_that_is_not_there(tmp_path):
    with pytest.raises(InputError, match="nowhere: cannot be read"):
        PredictionFile(tmp_path / "nowhere")
