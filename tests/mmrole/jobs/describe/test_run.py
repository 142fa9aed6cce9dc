import json
import shutil
import signal
import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import mmrole
from emotion.descriptions import read_descriptions
from mmrole.core.errors import InputError, LockedError, ModelError, QuotaError, StoreError, UsageError
from mmrole.core.lock import RunLock
from mmrole.jobs.describe import describe, estimate_describe
from mmrole.llm import ChatReply, ErrorKind, ImagePart, Price, Prices, Usage

# fixtures/README.md: 01_001_000 shows trains and nobody, 01_001_001 has no sound
NOT_THERE = {
    ("01_001_000", "face"): "no_face",
    ("01_001_000", "body"): "no_body",
    ("01_001_001", "speech"): "no_audio_stream",
}
PNG = b"\x89PNG\r\n\x1a\n not looked at any further"


def manifest(out):
    return json.loads((out / "manifest.json").read_text("utf-8"))


def reasons(found):
    return {(name, kind): each.reason for name, of_one in found.items() for kind, each in of_one.items() if each.reason}


@pytest.fixture
def roles(tmp_path):
    (tmp_path / "pictures").mkdir()
    (tmp_path / "pictures/tang.png").write_bytes(PNG)
    path = tmp_path / "roles.jsonl"
    path.write_text(
        json.dumps({"name": "小棠", "image": "pictures/tang.png"}) + '\n{"name": "阿凯"}\n', encoding="utf-8"
    )
    return path


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_embedded_every_utterance_and_modality_is_in_one_place(fixture_features, dialogues, tmp_path, lang):
    out = tmp_path / "out"
    result = mmrole.describe(fixture_features, out=out, dialogues=dialogues, lang=lang)
    assert result.counts == {"inputs": 18, "done": 15, "failed": 0, "skipped": 3, "pending": 0, "reused": 0}
    found = read_descriptions(out / "descriptions.jsonl")
    assert list(found) == [
        f"01_{dialogue}" for dialogue in ("000_000", "000_001", "000_002", "000_003", "001_000", "001_001")
    ]
    assert all(list(of_one) == ["face", "body", "speech"] for of_one in found.values())
    assert {each.describer for of_one in found.values() for each in of_one.values()} == {f"embedded.{lang}"}
    assert reasons(found) == NOT_THERE
    told = manifest(out)
    assert (told["command"], told["counts"], told["reasons"]["face"]) == ("describe", result.counts, {"no_face": 1})
    assert set(told["inputs"]) == {"dialogues", "features"}
    # the portrait of the fixtures smiles in every clip, and its mouth is drawn open again and again
    smile, mouth = ("smiles broadly", "opens and closes") if lang == "en" else ("笑容明显", "反复开合")
    faces = [of_one["face"].text for of_one in found.values() if of_one["face"].text]
    assert len(faces) == 5
    assert all(smile in face and mouth in face for face in faces)


def test_a_second_run_describes_only_what_has_changed(fixture_features, dialogues, tmp_path):
    features, out = tmp_path / "features", tmp_path / "out"
    shutil.copytree(fixture_features, features)
    mmrole.describe(features, out=out, dialogues=dialogues)
    first = (out / "descriptions.jsonl").read_bytes()
    journal = (out / "described.jsonl").read_bytes()
    assert mmrole.describe(features, out=out, dialogues=dialogues).reused == 15
    assert (out / "described.jsonl").read_bytes() == journal
    assert (out / "descriptions.jsonl").read_bytes() == first
    # another track for one clip: its face and its body
    record = [json.loads(line) for line in (features / "clips.jsonl").read_text("utf-8").splitlines()]
    for each in record:
        if each["clip_id"] == "01_000_000":
            shutil.copy(features / "tracks/01_000_003.parquet", features / "tracks/01_000_000.parquet")
            each["files"]["tracks/01_000_000.parquet"] = "0" * 64
    (features / "clips.jsonl").write_text("".join(f"{json.dumps(each)}\n" for each in record), encoding="utf-8")
    assert mmrole.describe(features, out=out, dialogues=dialogues).reused == 13
    changed = read_descriptions(out / "descriptions.jsonl")
    assert changed["01_000_000"]["face"].text == changed["01_000_003"]["face"].text


def test_a_folder_keeps_to_its_language_describer_and_utterances(fixture_features, dialogues, tmp_path, describer):
    out = tmp_path / "out"
    mmrole.describe(fixture_features, out=out, dialogues=dialogues)
    before = {path.name: path.read_bytes() for path in out.glob("*.jsonl")}
    with pytest.raises(UsageError, match="out holds descriptions with language zh, not en: choose another folder"):
        mmrole.describe(fixture_features, out=out, dialogues=dialogues, lang="en")
    with pytest.raises(UsageError, match="with describer embedded, not describer: choose another"):
        mmrole.describe(fixture_features, out=out, dialogues=dialogues, describer=describer().model)
    with pytest.raises(UsageError, match="with describer embedded, not describer: choose another"):
        estimate_describe(fixture_features, out=out, dialogues=dialogues, describer=describer().model)
    # the text of an utterance may be mended; a file of other utterances is other dialogues
    text = dialogues.read_text("utf-8-sig")
    other = tmp_path / "other.csv"
    other.write_text(
        text.splitlines()[0] + "\n" + text.splitlines()[-1].replace("01_00", "09_00") + "\n", encoding="utf-8"
    )
    shutil.copytree(fixture_features, tmp_path / "features")
    clips = tmp_path / "features/clips.jsonl"
    records = [json.loads(line) for line in clips.read_text("utf-8").splitlines()]
    renamed = [{**each, "clip_id": each["clip_id"].replace("01_00", "09_00")} for each in records]
    clips.write_text("".join(f"{json.dumps(each)}\n" for each in renamed), encoding="utf-8")
    with pytest.raises(
        UsageError, match="of other utterances, such as '01_000_000', which these dialogues do not have"
    ):
        mmrole.describe(tmp_path / "features", out=out, dialogues=other, lang="zh")
    assert {path.name: path.read_bytes() for path in out.glob("*.jsonl")} == before
    mended = tmp_path / "mended.csv"
    mended.write_text(text.replace("昨天在旧书店里", "昨天在书店里"), encoding="utf-8")
    assert mmrole.describe(fixture_features, out=out, dialogues=mended).reused == 15  # no rule reads the text of these


def test_pictures_and_measures_are_kept_apart(fixture_features, dialogues, tmp_path, describer, roles):
    given = {"out": tmp_path / "out", "dialogues": dialogues}
    mmrole.describe(fixture_features, **given, describer=describer().model, vision=False)
    with pytest.raises(UsageError, match="with vision off, not on"):
        mmrole.describe(fixture_features, **given, describer=describer().model)
    other = {**given, "out": tmp_path / "other"}
    mmrole.describe(fixture_features, **other, describer=describer().model)
    with pytest.raises(UsageError, match="with pictures of the roles off, not on"):
        mmrole.describe(fixture_features, **other, describer=describer().model, roles=roles)


def test_without_a_language_it_is_that_of_the_dialogues(fixture_features, dialogues, tmp_path):
    # of the fixtures' utterances most are Chinese; clips alone say nothing of a language
    with_dialogues = mmrole.describe(fixture_features, out=tmp_path / "a", dialogues=dialogues)
    assert (with_dialogues.describer, mmrole.describe(fixture_features, out=tmp_path / "b").describer) == (
        "embedded.zh", "embedded.en",
    )  # fmt: skip


def test_what_the_features_do_not_have(fixture_features, dialogues, tmp_path):
    text = dialogues.read_text("utf-8-sig").splitlines()
    table = tmp_path / "dialogues.csv"
    table.write_text("\n".join([*text[:2], text[2].replace("01_000_001", "01_000_009")]), encoding="utf-8")
    result = mmrole.describe(fixture_features, out=tmp_path / "out", dialogues=table, modalities=["speech", "face"])
    # 2 utterances and 5 clips that belong to none, 2 modalities each
    assert (result.total, result.done, result.skipped, result.failed) == (14, 2, 12, 0)
    found = read_descriptions(tmp_path / "out/descriptions.jsonl")
    assert list(found["01_000_009"]) == ["face", "speech"]
    assert {each.reason for each in found["01_000_009"].values()} == {"not_in_features"}
    assert {each["path"]: each["reason"] for each in manifest(tmp_path / "out")["skipped"]} == dict.fromkeys(
        ("01_000_001", "01_000_002", "01_000_003", "01_001_000", "01_001_001"), "not_in_dialogues"
    )
    assert result.notes == ("5 clips of the features belong to no utterance of the dialogues",)


def test_damaged_features_cost_their_descriptions_not_the_run(fixture_features, tmp_path, describer):
    features, out = tmp_path / "features", tmp_path / "out"
    shutil.copytree(fixture_features, features)
    (features / "tracks/01_000_000.parquet").write_bytes(b"PAR1 no more")
    (features / "tracks/01_000_001.parquet").unlink()
    shutil.rmtree(features / "keyframes/01_000_002")
    result = mmrole.describe(features, out=out)
    assert (result.done, result.failed, result.skipped) == (11, 4, 3)
    assert result.reasons["face"] == {"features_damaged": 2, "no_face": 1}
    found = read_descriptions(out / "descriptions.jsonl")
    assert "is damaged" in found["01_000_000"]["face"].reason
    assert found["01_000_001"]["body"].reason.endswith("is missing; run mmrole extract again")
    shutil.copytree(fixture_features, features, dirs_exist_ok=True)
    mended = mmrole.describe(features, out=out)  # what failed is tried again
    assert (mended.done, mended.reused) == (15, 11)
    shutil.rmtree(features / "keyframes/01_000_002")
    asked = mmrole.describe(features, out=tmp_path / "asked", describer=describer().model)
    assert (asked.done, asked.failed, asked.reasons["face"]["features_damaged"]) == (13, 2, 1)


def test_a_vision_model_sees_keyframes_and_the_role(fixture_features, dialogues, tmp_path, describer, roles):
    who, out = describer(), tmp_path / "out"
    result = mmrole.describe(
        fixture_features, out=out, dialogues=dialogues, roles=roles, describer=who.model, lang="en"
    )
    assert result.counts == {"inputs": 18, "done": 15, "failed": 0, "skipped": 3, "pending": 0, "reused": 0}
    found = read_descriptions(out / "descriptions.jsonl")
    assert reasons(found) == NOT_THERE
    assert found["01_000_000"]["face"].describer == "describer"
    store = mmrole.read_features(fixture_features)
    for request, modality in zip(who.model.requests[:3], ("face", "body", "speech"), strict=True):
        parts = request.messages[0].parts
        pictures = [part for part in parts if isinstance(part, ImagePart)]
        if modality == "speech":
            assert not pictures
            assert "你好，今天真高兴见到你" in request.messages[0].text
            continue
        assert pictures[0] == ImagePart(data=PNG, media_type="image/png")
        keyframes = [row for row in store.keyframes("01_000_000") if row["kind"] in (modality, "frame")]
        assert [part.data for part in pictures[1:]] == [
            row["path"].read_bytes()
            for row in sorted(keyframes, key=lambda row: (row["time_s"], row["kind"] == "frame"))
        ]
    replies = [json.loads(line) for line in (out / "replies.jsonl").read_text("utf-8").splitlines()]
    assert all(len(next(iter(each["prompts"].values()))) == 64 for each in replies)
    assert manifest(out)["settings"]["describer"] == {"kind": "scripted", "model": "describer"}
    assert manifest(out)["settings"]["vision"] is True


def test_another_picture_of_a_role_asks_anew_for_that_role_alone(
    fixture_features, dialogues, tmp_path, describer, roles
):
    given = {"out": tmp_path / "out", "dialogues": dialogues, "roles": roles}
    mmrole.describe(fixture_features, **given, describer=describer().model)
    (roles.parent / "pictures/tang.png").write_bytes(PNG + b"!")
    again = describer()
    result = mmrole.describe(fixture_features, **given, describer=again.model)
    # 小棠 speaks 3 utterances, in one of which nobody is seen: 2 faces and 2 bodies
    assert (again.asked.total(), result.reused) == (4, 11)
    with pytest.raises(UsageError, match="with describer describer, not another"):
        mmrole.describe(fixture_features, **given, describer=describer(name="another").model)


def test_without_eyes_a_model_is_told_what_was_measured(fixture_features, tmp_path, describer):
    who = describer()
    mmrole.describe(fixture_features, out=tmp_path / "out", describer=who.model, vision=False)
    assert not any(isinstance(part, ImagePart) for request in who.model.requests for part in request.messages[0].parts)
    assert "the mouth smiles broadly: throughout; strongest 0.9" in who.model.requests[0].messages[0].text
    assert "shoulder widths a second" in who.model.requests[1].messages[0].text


def test_replies_are_visible_as_what_they_are(fixture_features, dialogues, tmp_path, describer):
    replies = {
        "你好，今天": "I'm sorry, but I can't help with that.",
        "Thank you for": '{"description": ""}',
        "咦，这张": ChatReply(text='{"description": "Loud', finish_reason="length"),
        "昨天在": json.dumps(
            {"description": " ".join(f"{a}{b}" for a in "abcdefghijklmnopqrst" for b in "uvwxyzabcdefghijklmno")}
        ),
        "你听，火车": ChatReply(error=ErrorKind.BAD_REQUEST, detail="HTTP status 400: too hot"),
    }
    out, who = tmp_path / "out", describer(odd=replies)
    result = describe(fixture_features, out=out, dialogues=dialogues, describer=who.model, modalities=["speech"])
    assert (result.done, result.failed, result.skipped, result.total) == (0, 5, 1, 6)
    assert reasons(read_descriptions(out / "descriptions.jsonl")) == {
        ("01_000_000", "speech"): "refusal: refusal_phrase: the model declined",
        ("01_000_001", "speech"): "unparsed: empty: the description is empty",
        ("01_000_002", "speech"): "truncated: length",
        ("01_000_003", "speech"): "unparsed: too_long: 1,259 characters; one or two sentences were asked for",
        ("01_001_000", "speech"): "error: bad_request: HTTP status 400: too hot",
        ("01_001_001", "speech"): "no_audio_stream",
    }
    assert result.reasons["speech"]["unparsed: empty"] == 1
    # two replies that could not be read were asked for once more; only the error is tried again by the next run
    assert who.asked.total() == 7
    again = describer()
    assert (
        describe(fixture_features, out=out, dialogues=dialogues, describer=again.model, modalities=["speech"]).done == 1
    )
    assert again.asked.total() == 1


def test_interrupted_at_any_call_nothing_is_asked_again_and_the_files_are_equal(
    fixture_features, dialogues, tmp_path, describer
):
    odd = {"Thank you": "no JSON at all"}
    given = {"dialogues": dialogues, "vision": False}
    mmrole.describe(fixture_features, out=tmp_path / "whole", describer=describer(odd=odd).model, **given)
    whole = (tmp_path / "whole/descriptions.jsonl").read_bytes()
    assert b"unparsed: no_json" in whole
    for end in range(16):  # 15 requests, one of them followed by a repair
        out, who = tmp_path / f"out {end}", describer(end=end, odd=odd)
        with pytest.raises(KeyboardInterrupt):
            mmrole.describe(fixture_features, out=out, describer=who.model, **given)
        assert not (out / "descriptions.jsonl").exists()
        assert not (out / "manifest.json").exists()
        mmrole.describe(fixture_features, out=out, describer=who.model, **given)
        assert (len(who.asked), set(who.asked.values())) == (16, {1})
        assert (out / "descriptions.jsonl").read_bytes() == whole


KILLED = """
import os, signal, sys
import mmrole, mmrole.jobs.describe.embedded as job
features, out, end = sys.argv[1:]
job._AT_ONCE = 1
described, count = job.described, 0
def counted(*args):
    global count
    if count == int(end):
        os.kill(os.getpid(), signal.SIGKILL)
    count += 1
    return described(*args)
job.described = counted
mmrole.describe(features, out=out)
print(count)
"""


def test_killed_the_embedded_describer_goes_on(fixture_features, tmp_path):
    def run(out, end):
        command = [sys.executable, "-c", KILLED, fixture_features, tmp_path / out, str(end)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        return done.returncode, done.stdout.strip()

    assert run("killed", 7) == (-signal.SIGKILL, "")  # in the third of six clips
    assert not (tmp_path / "killed/descriptions.jsonl").exists()
    assert run("killed", -1) == (0, "12")  # the four clips that were not stored
    mmrole.describe(fixture_features, out=tmp_path / "whole")
    whole, again = (tmp_path / name / "descriptions.jsonl" for name in ("whole", "killed"))
    assert again.read_bytes() == whole.read_bytes()


def test_an_early_end_leaves_the_earlier_file_alone(fixture_features, tmp_path, describer):
    out = tmp_path / "out"
    describe(fixture_features, out=out, describer=describer().model, modalities=["speech"])
    before = (out / "descriptions.jsonl").read_bytes(), (out / "manifest.json").read_bytes()
    prices = Prices(currency="USD", models={"describer": Price(input_per_million=1e6, output_per_million=1e6)})
    limited = describe(fixture_features, out=out, describer=describer().model, prices=prices, max_cost=1.0)
    assert limited.stopped.kind == "max_cost"
    assert (limited.done, limited.failed) == (0, 0)  # the first face is too dear already
    assert limited.pending == limited.total - limited.done - limited.failed - limited.skipped > 0
    assert ((out / "descriptions.jsonl").read_bytes(), (out / "manifest.json").read_bytes()) == before
    broke = describer(odd={"": QuotaError("nothing left")})
    with pytest.raises(ModelError, match="nothing left"):
        describe(fixture_features, out=out, describer=broke.model)
    assert ((out / "descriptions.jsonl").read_bytes(), (out / "manifest.json").read_bytes()) == before


def test_costs_are_told(fixture_features, tmp_path, describer):
    who = describer(odd={"": ChatReply(
        text='{"description": "Loud."}', finish_reason="stop", usage=Usage(prompt_tokens=100, completion_tokens=10),
        spent=Usage(prompt_tokens=100, completion_tokens=10),
    )})  # fmt: skip
    prices = Prices(currency="USD", models={"describer": Price(input_per_million=1.0, output_per_million=10.0)})
    given = {"out": tmp_path / "out", "describer": who.model, "prices": prices, "modalities": ["speech"]}
    assert estimate_describe(fixture_features, **given).calls == 5
    result = describe(fixture_features, **given)
    assert result.spent.cost == pytest.approx(
        5 * 200 / 1e6
    )  # by hand: 100 x 1 + 10 x 10 per million, 5 clips with sound
    assert estimate_describe(fixture_features, **given).stored == 5


def test_arguments_that_make_no_sense(fixture_features, dialogues, tmp_path, describer, roles):
    out = tmp_path / "out"
    for wrong, said in (
        ({"modalities": ["smell"]}, "smell"),
        ({"modalities": []}, "none"),
        ({"lang": "fr"}, "'fr'"),
        ({"roles": roles}, "leave it out"),
        ({"roles": roles, "vision": False, "describer": describer().model}, "leave it out"),
        ({"max_cost": 1.0}, "costs nothing"),
    ):
        with pytest.raises(UsageError, match=said):
            describe(fixture_features, out=out, **wrong)
    with pytest.raises(UsageError, match="asks no model"):
        estimate_describe(fixture_features, out=out, describer="embedded")
    with pytest.raises(StoreError, match="run `mmrole extract"):
        describe(tmp_path / "nothing", out=out)
    other = tmp_path / "other.jsonl"
    other.write_text('{"dialogue_id": "d", "utterances": [{"utterance_id": "x", "speaker": "A", "text": "Hi."}]}\n')
    with pytest.raises(
        InputError, match=r"none of its 1 utterances \(x, \.\.\.\) has a clip .* called 01_000_000, 01_000_001"
    ):
        describe(fixture_features, out=out, dialogues=other)
    assert not out.exists()
    with pytest.raises(UsageError, match="holds the results of mmrole extract"):
        describe(fixture_features, out=fixture_features)
    with RunLock(out), pytest.raises(LockedError):
        describe(fixture_features, out=out)


def test_a_track_with_a_value_that_is_no_number_is_damaged(fixture_features, tmp_path):
    folder = tmp_path / "f"
    shutil.copytree(fixture_features, folder)
    path = folder / "tracks/01_000_000.parquet"
    table = pq.read_table(path)
    faces = table["blendshapes"].to_pylist()
    faces[3] = [float("nan"), *faces[3][1:]]
    place = table.schema.get_field_index("blendshapes")
    field = table.schema.field(place)
    pq.write_table(table.set_column(place, field, pa.array(faces, field.type)), path)
    result = describe(folder, out=tmp_path / "out")
    assert (result.done, result.failed, result.skipped) == (14, 1, 3)  # of 15 whole ones, see above
    found = read_descriptions(tmp_path / "out/descriptions.jsonl")["01_000_000"]["face"]
    assert found.text is None
    assert found.reason.startswith("features_damaged: the track has a value of blendshapes that is no number")


def test_features_without_a_clip(tmp_path):
    (tmp_path / "manifest.json").write_text('{"command": "extract"}')
    (tmp_path / "clips.jsonl").touch()
    with pytest.raises(InputError, match="holds no clip: there is nothing to describe"):
        describe(tmp_path, out=tmp_path / "out")


def test_a_second_clip_of_an_utterance_is_told_apart_from_a_stranger(fixture_features, dialogues, tmp_path):
    folder = tmp_path / "f"
    shutil.copytree(fixture_features, folder)
    with (folder / "clips.jsonl").open("a") as file:
        for name in ("copy/01_000_000", "99"):
            file.write(json.dumps({"clip_id": name, "status": "failed", "reason": "not_media"}) + "\n")
    notes = describe(folder, dialogues=dialogues, out=tmp_path / "out").notes
    assert notes == (
        "1 clip of the features belongs to no utterance of the dialogues",
        "not described, since an utterance has a clip already: 1 second clip (see manifest.json)",
    )
