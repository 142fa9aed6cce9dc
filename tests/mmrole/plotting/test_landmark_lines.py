from extractors.video.observation import BODY_LANDMARKS
from mmrole.plotting.landmark_lines import FACE_CONTOURS, HEAD_POINTS, SKELETON

# MediaPipe's face mesh: 468 points and five for each iris
MESH, FIRST_IRIS = 478, 468


def test_contours_are_points_of_the_mesh():
    for contour in FACE_CONTOURS:
        assert all(0 <= point < MESH for point in contour)
        inner = contour[:-1] if contour[0] == contour[-1] else contour
        assert len(set(inner)) == len(inner)
    irises = [set(contour) for contour in FACE_CONTOURS if min(contour) >= FIRST_IRIS]
    # 468 and 473 are the centres of the two irises
    assert irises == [{469, 470, 471, 472}, {474, 475, 476, 477}]


def test_the_skeleton_joins_neighbours_of_one_side():
    joined = {frozenset((BODY_LANDMARKS[one], BODY_LANDMARKS[other])) for one, other in SKELETON}
    across = [pair for pair in joined if len({name.split("_")[0] for name in pair}) == 2]
    assert sorted(map(sorted, across)) == [["left_hip", "right_hip"], ["left_shoulder", "right_shoulder"]]
    for pair in joined - set(across):
        mirrored = {name.replace("left", "LEFT").replace("right", "left").replace("LEFT", "right") for name in pair}
        assert mirrored in joined
    points = {point for pair in SKELETON for point in pair}
    assert points == set(range(HEAD_POINTS, len(BODY_LANDMARKS)))


def test_all_points_before_the_shoulders_are_on_the_head():
    assert {name.split("_")[-1] for name in BODY_LANDMARKS[:HEAD_POINTS]} == {
        "nose",
        "inner",
        "eye",
        "outer",
        "ear",
        "left",
        "right",
    }
