"""A trained expert that votes on its own training data."""

import json

import pytest

from emotion.experts.panel import panel_of
from mmrole.jobs.recognize import recognize


@pytest.fixture
def data(tmp_path):
    """Twelve dialogues of two lines each."""
    lines = [("Ann", "what a lovely day", "happy"), ("Bo", "leave me alone now", "anger")]
    records = [
        {
            "dialogue_id": f"d{d}",
            "utterances": [
                {"utterance_id": f"d{d}_{n}", "speaker": who, "text": f"{text} {d}", "emotion": emotion, "index": n}
                for n, (who, text, emotion) in enumerate(lines)
            ],
        }
        for d in range(12)
    ]
    path = tmp_path / "train.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), "utf-8")
    return path


def test_it_is_told(data, tmp_path):
    pytest.importorskip("sklearn")
    from mmrole.jobs.experts import train_expert

    train_expert([data], out=tmp_path / "expert.npz")
    panel = panel_of([{"name": "own", "kind": "trained", "model": str(tmp_path / "expert.npz")}])
    told = "own was trained on this very file, train.jsonl"
    assert any(note.startswith(told) for note in recognize(data, panel=panel, out=tmp_path / "o").notes)
    manifest = json.loads((tmp_path / "o" / "manifest.json").read_text("utf-8"))
    assert any(note.startswith(told) for note in manifest["notes"])
    other = tmp_path / "other.jsonl"
    other.write_text(data.read_text("utf-8") + "\n", "utf-8")
    assert not recognize(other, panel=panel, out=tmp_path / "p").notes
