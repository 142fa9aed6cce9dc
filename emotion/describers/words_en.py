"""English words of the findings: the plain and the stronger one. A clause has no capital and no full stop."""

from __future__ import annotations

from typing import Final

FINDINGS: Final[dict[str, tuple[str, str]]] = {
    "brows_lowered": ("the brows are lowered", "the brows are strongly lowered"),
    "brows_raised_inner": ("the inner brows are raised", "the inner brows are strongly raised"),
    "brows_raised": ("the brows are raised", "the brows are raised high"),
    "eyes_wide": ("the eyes are wide open", "the eyes are wide open, staring"),
    "eyes_narrowed": ("the eyes are narrowed", "the eyes are narrowed to slits"),
    "eyes_closed": ("the eyes are closed", "the eyes are closed tightly"),
    "gaze_down": ("the gaze is lowered", "the gaze is cast down"),
    "gaze_up": ("the gaze goes upwards", "the gaze goes far upwards"),
    "gaze_picture_right": ("the gaze goes to the picture's right", "the gaze goes far to the picture's right"),
    "gaze_picture_left": ("the gaze goes to the picture's left", "the gaze goes far to the picture's left"),
    "nose_wrinkled": ("the nose is wrinkled", "the nose is strongly wrinkled"),
    "cheeks_raised": ("the cheeks are raised", "the cheeks are strongly raised"),
    "cheeks_puffed": ("the cheeks are puffed", "the cheeks are blown out"),
    "smile": ("the mouth smiles", "the mouth smiles broadly"),
    "mouth_corners_out": ("the corners of the mouth are drawn out", "the corners of the mouth are drawn far out"),
    "mouth_corners_down": ("the corners of the mouth point down", "the corners of the mouth are pulled down"),
    "mouth_stretched": ("the lips are stretched sideways", "the lips are stretched tight"),
    "upper_lip_raised": ("the upper lip is raised", "the upper lip is raised high"),
    "lower_lip_lowered": ("the lower lip is pulled down", "the lower lip is pulled far down"),
    "lips_pressed": ("the lips are pressed together", "the lips are pressed firmly together"),
    "lips_pushed_out": ("the lips are pushed out", "the lips are pushed far out"),
    "lips_rounded": ("the lips are rounded", "the lips are strongly rounded"),
    "lower_lip_pushed_up": ("the lower lip is pushed up", "the lower lip is pushed up strongly"),
    "jaw_forward": ("the jaw is pushed forward", "the jaw is pushed far forward"),
    "mouth_open": ("the mouth is open", "the mouth is wide open"),
    "mouth_moving": ("the mouth opens and closes repeatedly", "the mouth opens wide and closes repeatedly"),
    "mouth_opens": ("the mouth opens briefly", "the mouth opens wide for a moment"),
    "head_front": ("the head faces the camera", "the head faces the camera"),
    "head_picture_right": (
        "the head is turned to the picture's right",
        "the head is turned far to the picture's right",
    ),
    "head_picture_left": ("the head is turned to the picture's left", "the head is turned far to the picture's left"),
    "head_raised": ("the head is raised", "the head is thrown back"),
    "head_lowered": ("the head is lowered", "the head hangs low"),
    "head_tilted_right": ("the head is tilted to the picture's right", "the head is tilted far to the picture's right"),
    "head_tilted_left": ("the head is tilted to the picture's left", "the head is tilted far to the picture's left"),
    "head_nods": ("the head goes up and down repeatedly", ""),
    "head_shakes": ("the head goes from side to side repeatedly", ""),
    "head_still": ("the head keeps still", ""),
    "head_moves": ("the head moves a little", ""),
    "head_moves_much": ("the head moves a lot", ""),
    "body_whole": ("the whole body is seen", ""),
    "body_to_knees": ("the body is seen down to the knees", ""),
    "body_to_hips": ("the body is seen down to the hips", ""),
    "body_upper": ("only the upper body is seen", ""),
    "body_sideways": ("the body is turned sideways", ""),
    "hand_raised_left": ("the left hand is raised above the shoulder", ""),
    "hand_raised_right": ("the right hand is raised above the shoulder", ""),
    "hand_raised_both": ("both hands are raised above the shoulders", ""),
    "hand_face_left": ("the left hand is at the face", ""),
    "hand_face_right": ("the right hand is at the face", ""),
    "hand_face_both": ("both hands are at the face", ""),
    "hand_out_left": ("the left arm is stretched out to the side", ""),
    "hand_out_right": ("the right arm is stretched out to the side", ""),
    "hand_out_both": ("both arms are stretched out to the sides", ""),
    "hand_front_left": ("the left hand is in front of the body", ""),
    "hand_front_right": ("the right hand is in front of the body", ""),
    "hand_front_both": ("both hands are in front of the body", ""),
    "shoulder_left_higher": ("the shoulder on the picture's left is higher", ""),
    "shoulder_right_higher": ("the shoulder on the picture's right is higher", ""),
    "shoulders_up": ("the shoulders are drawn up", ""),
    "lean_picture_right": ("the trunk leans to the picture's right", ""),
    "lean_picture_left": ("the trunk leans to the picture's left", ""),
    "comes_nearer": ("the body comes nearer to the camera", ""),
    "goes_back": ("the body goes back from the camera", ""),
    "moves_picture_right": ("the body moves to the picture's right", ""),
    "moves_picture_left": ("the body moves to the picture's left", ""),
    "body_still": ("the body keeps almost still", ""),
    "body_slight": ("the body moves slightly", ""),
    "body_lively": ("the body moves in a lively way", ""),
    "body_vigorous": ("the body moves vigorously", ""),
}

PHRASES: Final[dict[str, str]] = {
    "throughout": "throughout, {}",
    "beginning": "in the first part, {}",
    "at_first": "until {end} s, {}",
    "onwards": "from {onset} s on, {}",
    "middle": "in the middle, {}",
    "end": "in the last part, {}",
    "at_times": "at times {}",
    "comma": ", ",
    "and": " and ",
    "stop": ". ",
    "end_mark": ".",
    "also": ", ",
    "no_expression": "brows, eyes and mouth show no clear expression",
    "face_seen": "the face is seen in {} % of the frames",
    "body_seen": "the body is seen in {} % of the frames",
    "speaker": "compared with the speaker's other utterances",
    "gender": "compared with other speakers of the same gender",
    "corpus": "compared with the other clips",
    "pause": "there is a pause",
    "pauses": "there are pauses",
}

LEVELS: Final[dict[str, dict[str, str]]] = {
    "speed": {
        "very low": "the speech is very slow", "low": "the speech is rather slow", "normal": "the speech is of medium speed",
        "high": "the speech is rather fast", "very high": "the speech is very fast",
    },
    "pitch": {
        "very low": "the pitch is very low", "low": "the pitch is rather low", "normal": "the pitch is medium",
        "high": "the pitch is rather high", "very high": "the pitch is very high",
    },
    "volume": {
        "very low": "the voice is very soft", "low": "the voice is rather soft", "normal": "the voice is of medium volume",
        "high": "the voice is rather loud", "very high": "the voice is very loud",
    },
}  # fmt: skip
UNMEASURED: Final = {
    "speed": "the speed could not be measured", "pitch": "the pitch could not be measured", "volume": "the volume could not be measured",
}  # fmt: skip
SHAPES: Final[dict[str, dict[str, str]]] = {
    "speed": {
        "steady": "and steady", "rises": "and gets faster", "falls": "and gets slower",
        "rises_then_falls": "and gets faster, then slower", "falls_then_rises": "and gets slower, then faster",
        "varies": "and uneven",
    },
    "pitch": {
        "steady": "and steady", "rises": "and rises", "falls": "and falls", "rises_then_falls": "and rises, then falls",
        "falls_then_rises": "and falls, then rises", "varies": "and goes up and down",
    },
    "volume": {
        "steady": "and steady", "rises": "and gets louder", "falls": "and gets softer",
        "rises_then_falls": "and gets louder, then softer", "falls_then_rises": "and gets softer, then louder",
        "varies": "and goes up and down",
    },
}  # fmt: skip
SUBJECTS: Final = ("the head ", "the body ", "the gaze ", "the shoulder ")
"""Said once where clauses with the same subject stand side by side."""
