import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmrole.core.dialogue import Utterance
from mmrole.core.errors import InputError
from mmrole.core.media import Clip, Segment
from mmrole.jobs.extract.inputs import find_inputs
from mmrole.jobs.extract.segments import grouped, join_dialogues, read_segments

HEAD = "path,start_s,end_s,utterance_id,speaker,gender,text\n"


@pytest.fixture
def episodes(tmp_path):
    (tmp_path / "videos" / "s1").mkdir(parents=True)
    for name in ("videos/e1.mp4", "videos/s1/e2.mkv"):
        (tmp_path / name).write_bytes(b"x")
    return find_inputs([tmp_path / "videos"]).files


def read(tmp_path, files, text, encoding="utf-8"):
    (tmp_path / "segments.csv").write_text(text, encoding=encoding)
    return read_segments(tmp_path / "segments.csv", files)


def test_rows_become_clips(tmp_path, episodes):
    rows = 'e1.mp4,0.5,2,u1,小棠,female,"你好, ""阿凯""\n再见"\ns1/e2.mkv,10,12.25,u2,,,\n'
    one, two = read(tmp_path, episodes, HEAD + rows, "utf-8-sig")
    assert (one.clip_id, one.speaker, one.gender, one.text) == ("u1", "小棠", "female", '你好, "阿凯"\n再见')
    assert one.segment == Segment(start_s=0.5, end_s=2.0)
    assert one.path.endswith("videos/e1.mp4")
    assert (two.speaker, two.gender, two.text) == (None, None, None)
    assert two.path.endswith("s1/e2.mkv")


@pytest.mark.parametrize("path", ["e1.mp4", "videos/e1.mp4", "{abs}/videos/e1.mp4"])
def test_a_path_may_be_written_in_several_ways(tmp_path, episodes, path):
    [clip] = read(tmp_path, episodes, f"{HEAD}{path.format(abs=tmp_path)},0,1,u,,,\n")
    assert clip.path.endswith("videos/e1.mp4")


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ("e1.mp4,0,1", "utterance_id is empty"),
        ("e1.mp4,zero,1,u,,,", "line 2: start_s is 'zero'; seconds are meant"),
        ("e1.mp4,0:12,1,u,,,", "line 2: start_s is '0:12'"),
        ("e1.mp4,2,1,u,,,", "line 2: the segment from 2 to 1 s is empty or backwards"),
        ("e1.mp4,1,1,u,,,", "is empty or backwards"),
        ("e1.mp4,-1,1,u,,,", "is empty or backwards"),
        ("e1.mp4,nan,1,u,,,", "is empty or backwards"),
        ("e1.mp4,0,inf,u,,,", "is empty or backwards"),
        ("e9.mp4,0,1,u,,,", "line 2: path 'e9.mp4' is none of the input files"),
        ("e1.mp4,0,1,u,,,\ne1.mp4,2,3,u,,,", "line 3: utterance_id 'u' is there already, in line 2"),
        ("", "there is no segment in it"),
        (
            "e1.mp4,0,1,u,,,you, me and him",
            "line 2: more cells than the header has; put text that holds commas in quotes",
        ),
        ('e1.mp4,0,1,u,,,x\ne1.mp4,1,2,v,,,"never closed', "the row after line 2 is no CSV"),
        ("e1.mp4,0,1,../../evil,,,", "utterance_id '../../evil' is no name"),
        ("e1.mp4,0,1,/etc/u,,,", "is no name"),
        ("e1.mp4,0,1,a//b,,,", "is no name"),
        ("e1.mp4,0,1,.,,,", "is no name"),
    ],
)
def test_bad_rows_are_one_line_with_file_and_place(tmp_path, episodes, row, message):
    with pytest.raises(InputError, match=r"segments\.csv") as error:
        read(tmp_path, episodes, HEAD + row + "\n")
    assert message in str(error.value)
    assert "\n" not in str(error.value)


def test_a_missing_column_is_named(tmp_path, episodes):
    with pytest.raises(InputError, match="the column end_s is missing"):
        read(tmp_path, episodes, "path,start_s,utterance_id\ne1.mp4,0,u\n")


@pytest.mark.parametrize(
    "header", ["path;start_s;end_s;utterance_id", "PATH,START_S,END_S,UTTERANCE_ID", " path,start_s,end_s,utterance_id"]
)
def test_a_header_that_is_not_understood_is_shown(tmp_path, episodes, header):
    with pytest.raises(
        InputError, match="the column path is missing; a segment table is CSV, separated by commas"
    ) as error:
        read(tmp_path, episodes, f"{header}\ne1.mp4,0,1,u\n")
    assert header.split(",")[0] in str(error.value)


def test_a_column_that_is_there_twice_is_an_error(tmp_path, episodes):
    """Which of the two is meant cannot be known."""
    with pytest.raises(InputError, match="the column start_s is there twice"):
        read(tmp_path, episodes, "path,start_s,end_s,utterance_id,start_s\ne1.mp4,0,1,u,0.5\n")


def test_utterances_may_be_in_folders(tmp_path, episodes):
    [clip] = read(tmp_path, episodes, f"{HEAD}e1.mp4,0,1,s1/e1/u..1,,,\n")
    assert clip.clip_id == "s1/e1/u..1"


def clip(name, start, end, path="e"):
    return Clip(clip_id=name, path=path, segment=Segment(start_s=start, end_s=end))


@given(st.lists(st.tuples(st.floats(0, 3000), st.floats(0.01, 300), st.sampled_from("ef")), max_size=30))
def test_tasks_hold_disjoint_ascending_segments_of_one_file_and_lose_none(rows):
    clips = [clip(str(i), start, start + length, path) for i, (start, length, path) in enumerate(rows)]
    tasks = list(grouped(clips))
    assert sorted(c.clip_id for _, group in tasks for c in group) == sorted(c.clip_id for c in clips)
    for path, group in tasks:
        assert {c.path for c in group} == {path}
        for before, after in itertools.pairwise(group):
            assert before.segment.end_s <= after.segment.start_s
        assert len(group) == 1 or group[-1].segment.end_s - group[0].segment.start_s <= 120


def test_whole_files_are_tasks_of_their_own():
    clips = [Clip(clip_id="a", path="a.mp4"), Clip(clip_id="b", path="b.mp4")]
    assert list(grouped(clips)) == [("a.mp4", (clips[0],)), ("b.mp4", (clips[1],))]


def test_clips_get_what_the_dialogue_table_says():
    rows = {
        "27_000_000": Utterance(
            utterance_id="27_000_000", speaker="小棠", text="你好", gender="female", face_box_px=(1, 2, 3, 4)
        ),
        "27_000_001": Utterance(utterance_id="27_000_001", speaker="阿凯", text="走"),
    }
    clips = [Clip(clip_id="test/27_000_000", path="p"), Clip(clip_id="other", path="q")]
    joined = join_dialogues(clips, rows)
    assert joined.clips[0] == Clip(
        clip_id="test/27_000_000", path="p", text="你好", speaker="小棠", gender="female", face_box_px=(1, 2, 3, 4)
    )
    assert joined.clips[1] == clips[1]
    assert (joined.without_row, joined.without_clip) == (1, 1)
