"""Replies with a label, English and Chinese. The expected column is what a person reads in each reply, by the rules of
`mmrole.llm.replies.cascade`; all replies were written for this table."""

import pickle

import pytest

from mmrole.core.errors import UsageError
from mmrole.core.labels import LabelSet, label_set
from mmrole.llm.replies import Note, Reply, ReplyStatus, Rule, parse_label

OK, AMBIGUOUS, UNPARSED, REFUSAL, TRUNCATED = "ok", "ambiguous", "unparsed", "refusal", "truncated"

WHOLE = [
    ("happy", OK, "happy", "whole_reply"),
    ("Happy.", OK, "happy", "whole_reply"),
    ("  SADNESS\n", OK, "sadness", "whole_reply"),
    ('"anger"', OK, "anger", "whole_reply"),
    ("'fear'", OK, "fear", "whole_reply"),
    ("“disgust”", OK, "disgust", "whole_reply"),
    ("**worried**", OK, "worried", "whole_reply"),
    ("`neutral`", OK, "neutral", "whole_reply"),
    ("[relaxed]", OK, "relaxed", "whole_reply"),
    ("{grateful}", OK, "grateful", "whole_reply"),
    ("- astonished", OK, "astonished", "whole_reply"),
    ("### depress", OK, "depress", "whole_reply"),
    ("Positive-Other", OK, "positive-other", "whole_reply"),
    ("negative_other", OK, "negative-other", "whole_reply"),
    ("other negative", OK, "negative-other", "whole_reply"),
    ("happy 😊", OK, "happy", "whole_reply"),
    ("ｈａｐｐｙ", OK, "happy", "whole_reply"),
    ("\ufeffhappy", OK, "happy", "whole_reply"),
    ("hap\u200bpy", OK, "happy", "whole_reply"),
    ("```\nhappy\n```", OK, "happy", "whole_reply"),
    ("```text\nsadness\n```", OK, "sadness", "whole_reply"),
    ("sadness<|im_end|>", OK, "sadness", "whole_reply"),
    ("sadness</s>\n", OK, "sadness", "whole_reply"),
    ('["anger"]', OK, "anger", "whole_reply"),
    ("悲伤", OK, "sadness", "whole_reply"),
    ("快乐。", OK, "happy", "whole_reply"),
    ("「愤怒」", OK, "anger", "whole_reply"),
    ("【担忧】", OK, "worried", "whole_reply"),
    ("其他负面", OK, "negative-other", "whole_reply"),
    ("　惊讶　", OK, "astonished", "whole_reply"),
    ("**中性**", OK, "neutral", "whole_reply"),
    ("“感激”", OK, "grateful", "whole_reply"),
    ("放松！", OK, "relaxed", "whole_reply"),
    ("（厌恶）", OK, "disgust", "whole_reply"),
    ("其他正面", OK, "positive-other", "whole_reply"),
]
ALIASES = [
    ("Angry", OK, "anger", "whole_reply"),
    ("sad", OK, "sadness", "whole_reply"),
    ("Surprised!", OK, "astonished", "whole_reply"),
    ("depressed", OK, "depress", "whole_reply"),
    ("gratitude", OK, "grateful", "whole_reply"),
    ("other-positive", OK, "positive-other", "whole_reply"),
]
OUTSIDE = [
    ("joyful", UNPARSED, None, "no_answer"),
    ("hapy", UNPARSED, None, "no_answer"),
    ("sadnes", UNPARSED, None, "no_answer"),
    ("unhappy", UNPARSED, None, "no_answer"),
    ("happily", UNPARSED, None, "no_answer"),
    ("She spoke angrily and fearfully.", UNPARSED, None, "no_answer"),
    ("self-disgust", UNPARSED, None, "no_answer"),
    ("negative", UNPARSED, None, "no_answer"),
    ("ambiguous", UNPARSED, None, "no_answer"),
    ("none of the above", UNPARSED, None, "no_answer"),
    ("N/A", UNPARSED, None, "no_answer"),
    ("7", UNPARSED, None, "no_answer"),
    ("...", UNPARSED, None, "no_answer"),
    ("高兴", UNPARSED, None, "no_answer"),
    ("难过", UNPARSED, None, "no_answer"),
    ("Emotion: joyful", UNPARSED, None, "outside_set"),
    ("<emotion>joyful</emotion> since she is not sad but happy", UNPARSED, None, "outside_set"),
    ("Emotion: excitement. The speaker overcame her fear.", UNPARSED, None, "outside_set"),
    ("情绪：激动。说话人克服了恐惧。", UNPARSED, None, "outside_set"),
    ('{"label": "hapy", "reason": "she is not sad"}', UNPARSED, None, "outside_set"),
    ('{"label": "ecstatic", "reason": "the emotion is happy"}', UNPARSED, None, "outside_set"),
]
ANCHORED = [
    ("Emotion: sadness", OK, "sadness", "anchored"),
    ("**Emotion:** Sadness", OK, "sadness", "anchored"),
    ("**Emotion**: *sad*", OK, "sadness", "anchored"),
    ("Label: happy\nReason: she smiles, though the sadness stays.", OK, "happy", "anchored"),
    ("Reason: anger is in his voice.\nLabel: fear", OK, "fear", "anchored"),
    ("Final answer - worried", OK, "worried", "anchored"),
    ("Answer:\nneutral", OK, "neutral", "anchored"),
    ("## Answer\n\nneutral", OK, "neutral", "anchored"),
    ("emotion = disgust", OK, "disgust", "anchored"),
    ("| emotion | anger |", OK, "anger", "anchored"),
    ("Emotion → relaxed", OK, "relaxed", "anchored"),
    ("Emotion(label='happy')", OK, "happy", "anchored"),
    ('"label": "fear"', OK, "fear", "anchored"),
    ("Emotion (one word): fear", OK, "fear", "anchored"),
    ("Emotion: the speaker is angry", OK, "anger", "anchored"),
    ("Emotion: sadness (not anger)", OK, "sadness", "anchored"),
    ("> Emotion: fear", OK, "fear", "anchored"),
    ("情绪：悲伤", OK, "sadness", "anchored"),
    ("情绪标签：愤怒\n理由：他提高了声音，并不快乐。", OK, "anger", "anchored"),
    ("【情绪】恐惧", OK, "fear", "anchored"),
    ("答案：中性", OK, "neutral", "anchored"),
    ("最终判断：担忧", OK, "worried", "anchored"),
    ("**答案**：沮丧。", OK, "depress", "anchored"),
    ("情緒：悲伤", OK, "sadness", "anchored"),
]
STATED = [
    ("The emotion is sadness.", OK, "sadness", "stated"),
    ("The emotion expressed by the speaker in this utterance is anger.", OK, "anger", "stated"),
    ("The speaker's emotion is clearly one of fear, not anger.", OK, "fear", "stated"),
    ("I would label this utterance as worried.", OK, "worried", "stated"),
    ("This line is best classified as disgust, although some would hear anger.", OK, "disgust", "stated"),
    ("The emotion isn't happy but sad.", OK, "sadness", "stated"),
    ("The answer is not anger but fear.", OK, "fear", "stated"),
    ("The emotion could be anger or fear. In the end the emotion is fear.", OK, "fear", "stated"),
    ("说话人的情绪是悲伤，而不是愤怒。", OK, "sadness", "stated"),
    ("她的情绪并不是愤怒，而是担忧。", OK, "worried", "stated"),
    ("这句话的情绪应该是中性。", OK, "neutral", "stated"),
    ("我判断为恐惧，虽然听起来有些愤怒。", OK, "fear", "stated"),
    ("我会选择“悲伤”。", OK, "sadness", "stated"),
    ("主要情绪是悲伤；次要情绪是愤怒。", OK, "sadness", "stated"),
    ("The dominant emotion is fear; a secondary emotion is anger.", OK, "fear", "stated"),
    ("如果她输了，情绪就是悲伤。但她赢了，所以情绪是快乐。", OK, "happy", "stated"),
    ("<answer>anger</answer>", OK, "anger", "tag"),
    ("She smiles.\n<emotion> relaxed </emotion>", OK, "relaxed", "tag"),
    ("\\boxed{\\text{fear}}", OK, "fear", "tag"),
    ("Between anger and fear: [[fear]]", OK, "fear", "tag"),
]
LAST_WINS = [
    ("Emotion: anger\nWait, that is wrong.\nEmotion: fear", OK, "fear", "anchored"),
    ("The emotion is happy. On reflection, the emotion is relaxed.", OK, "relaxed", "stated"),
    ("Emotion: fear... no, anger.", OK, "anger", "stated"),
    ("情绪：恐惧。不对，愤怒", OK, "anger", "stated"),
    ("Answer: fear\n\nThe answer is clear because her voice shakes.", OK, "fear", "anchored"),
    ('{"label": "anger"}\nCorrected:\n{"label": "fear"}', OK, "fear", "json_field"),
    ('{"label": "anger"}\nNo. Final label: fear', OK, "fear", "anchored"),
    ('Label: anger. As JSON: {"label": "fear"}', OK, "fear", "json_field"),
    ("情绪：愤怒\n更正，情绪：悲伤", OK, "sadness", "anchored"),
]
OWN_LINE = [
    ("sadness\n\nThe speaker lost her brother and there is no anger left.", OK, "sadness", "own_line"),
    ("He raises his voice, yet anger is not all of it.\n\n**fear**", OK, "fear", "own_line"),
    ("悲伤\n\n她失去了哥哥，没有愤怒。", OK, "sadness", "own_line"),
    ("happy\nsad", AMBIGUOUS, None, "several_answers"),
]
SINGLE = [
    ("She is clearly happy.", OK, "happy", "single_label"),
    ("It sounds like anger to me", OK, "anger", "single_label"),
    ("sadness, because she is not happy any more", OK, "sadness", "single_label"),
    ("happy (0.92)", OK, "happy", "single_label"),
    ("sadness (悲伤)", OK, "sadness", "single_label"),
    ("No doubt she is angry.", OK, "anger", "single_label"),
    ("She is happy to be home again.", OK, "happy", "single_label"),
    ("She cannot help but feel grateful.", OK, "grateful", "single_label"),
    ('The line "I am so happy for you" is said in anger.', OK, "anger", "single_label"),
    ("I am happy to help! She sounds worried.", OK, "worried", "single_label"),
    ("她显得非常愤怒。", OK, "anger", "single_label"),
    ("说话人感到沮丧", OK, "depress", "single_label"),
    ("他不禁悲伤起来", OK, "sadness", "single_label"),
    ("毫无疑问，她很快乐", OK, "happy", "single_label"),
    ("不是愤怒，而是悲伤", OK, "sadness", "stated"),
    ("这句话没有明显的情绪，属于中性。", OK, "neutral", "single_label"),
    ("我不确定，可能是悲伤", OK, "sadness", "stated"),
    ("悲伤（sadness）", OK, "sadness", "single_label"),
    ("I'm not sure, but probably fear.", OK, "fear", "stated"),
]
AMBIGUOUS_REPLIES = [
    ("happy or sad", AMBIGUOUS, None, "several_labels"),
    ("happy, relaxed", AMBIGUOUS, None, "several_labels"),
    ("anger/disgust", AMBIGUOUS, None, "several_labels"),
    ("She is sad and angry.", AMBIGUOUS, None, "several_labels"),
    ("Emotion: anger, fear", AMBIGUOUS, None, "several_labels"),
    ("Emotion: anger and a bit of fear", AMBIGUOUS, None, "several_labels"),
    ("Emotion: upset and sad", AMBIGUOUS, None, "several_labels"),
    ("The emotion is sadness mixed with anger.", AMBIGUOUS, None, "several_labels"),
    ("The emotion is neutral to slightly happy.", AMBIGUOUS, None, "several_labels"),
    ("She is not only happy but also grateful.", AMBIGUOUS, None, "several_labels"),
    ("happy: 0.6, sad: 0.4", AMBIGUOUS, None, "several_labels"),
    ('["happy", "sad"]', AMBIGUOUS, None, "several_labels"),
    ('{"label": ["happy", "sad"]}', AMBIGUOUS, None, "several_answers"),
    ('{"label": "happy or sad"}', AMBIGUOUS, None, "several_labels"),
    ('{"label": "happy", "emotion": "sad"}', AMBIGUOUS, None, "several_answers"),
    ('{"label": "happy", "label": "sad"}', AMBIGUOUS, None, "repeated_key"),
    ('{"emotion": {"label": "happy", "label": "sad"}}', AMBIGUOUS, None, "repeated_key"),
    ('[{"label": "happy"}, {"label": "sad"}]', AMBIGUOUS, None, "several_answers"),
    ("愤怒和悲伤", AMBIGUOUS, None, "several_labels"),
    ("情绪：愤怒、恐惧", AMBIGUOUS, None, "several_labels"),
    ("她既愤怒又悲伤。", AMBIGUOUS, None, "several_labels"),
    ("不仅愤怒，还有些悲伤", AMBIGUOUS, None, "several_labels"),
    ("情绪是悲伤，夹杂着愤怒", AMBIGUOUS, None, "several_labels"),
    ("可能是恐惧或者愤怒", AMBIGUOUS, None, "several_labels"),
    ("看似快乐，实则悲伤", AMBIGUOUS, None, "several_labels"),
    ("fear → anger", AMBIGUOUS, None, "several_labels"),
]
NEGATED = [
    ("not happy", UNPARSED, None, "negated"),
    ("She isn't angry.", UNPARSED, None, "negated"),
    ("She is not so happy.", UNPARSED, None, "negated"),
    ("not overall happy", UNPARSED, None, "negated"),
    ("不应该是快乐", UNPARSED, None, "negated"),
    ("不可能是愤怒", UNPARSED, None, "negated"),
    ("There is no sign of fear.", UNPARSED, None, "negated"),
    ("neither happy nor sad", UNPARSED, None, "negated"),
    ("no anger, fear or disgust", UNPARSED, None, "negated"),
    ("She does not seem to be very happy.", UNPARSED, None, "negated"),
    ("Happy?", UNPARSED, None, "negated"),
    ('{"label": "not happy"}', UNPARSED, None, "negated"),
    ("她并不快乐", UNPARSED, None, "negated"),
    ("没有表现出愤怒", UNPARSED, None, "negated"),
    ("既不快乐也不悲伤", UNPARSED, None, "negated"),
    ("是愤怒吗？", UNPARSED, None, "negated"),
    ("恐惧还是愤怒？", UNPARSED, None, "negated"),
    ("Why would she be angry at him?", UNPARSED, None, "negated"),
]
JSON = [
    ('{"label": "happy"}', OK, "happy", "json_field"),
    ('{"emotion": "Sad", "confidence": 0.9}', OK, "sadness", "json_field"),
    ('```json\n{"label": "fear"}\n```', OK, "fear", "json_field"),
    ('```\n{"label": "fear"}\n```', OK, "fear", "json_field"),
    ('```json\n{"label": "fear"}', OK, "fear", "json_field"),
    ('~~~json\n{"label": "fear"}\n~~~', OK, "fear", "json_field"),
    ('{"reason": "the text holds ``` twice: ```", "label": "fear"}', OK, "fear", "json_field"),
    ('Here it is:\n```json\n{"label": "anger"}\n```\nI hope this helps, do not be sad!', OK, "anger", "json_field"),
    ('In the set {happy, sad} I see {"label": "sad"}.', OK, "sadness", "json_field"),
    ("{'label': 'happy', 'reason': \"it's good\"}", OK, "happy", "json_field"),
    ("{'label': 'happy', 'reason': 'she's glad, isn't she'}", OK, "happy", "json_field"),
    ("{'label': 'happy', 'valid': True, 'note': None}", OK, "happy", "json_field"),
    ('{label: "happy"}', OK, "happy", "json_field"),
    ('{"label": "happy",}', OK, "happy", "json_field"),
    ('{"label": "happy", // sure\n "score": 1}', OK, "happy", "json_field"),
    ("｛“情绪”：“悲伤”，“分数”：８｝", OK, "sadness", "json_field"),
    ("{“label”：“悲伤”，“reason”：“他说“好”，然后走了”}", OK, "sadness", "json_field"),
    ("{「情绪」：「愤怒」}", OK, "anger", "json_field"),
    ('{"情绪标签": "担忧"}', OK, "worried", "json_field"),
    ('{"Final_Label": "fear", "label": "anger"}', OK, "fear", "json_field"),
    ('{"emotion": {"label": "happy", "confidence": 0.9}}', OK, "happy", "json_field"),
    ('{"result": {"emotion": "happy"}}', OK, "happy", "json_field"),
    ('{"label": ["happy"]}', OK, "happy", "json_field"),
    ('{"label": "Happy (快乐)"}', OK, "happy", "json_field"),
    ('{"label": "The emotion is fear."}', OK, "fear", "json_field"),
    ('{"label": "happy", "confidence": NaN}', OK, "happy", "json_field"),
    ('{"happy": 0.9, "sad": 0.1}', UNPARSED, None, "field_missing"),
    ('{"reason": "she is happy"}', UNPARSED, None, "field_missing"),
    ('{"label": null}', UNPARSED, None, "outside_set"),
    ('{"label": ""}', UNPARSED, None, "outside_set"),
    ('{"emotion": {"intensity": 3}}', UNPARSED, None, "outside_set"),
    ('{"a": {"b": {"c": {"d": {"e": {"f": {"label": "sad"}}}}}}}', UNPARSED, None, "field_missing"),
    ('{"label": 3}', UNPARSED, None, "outside_set"),
    ("{}", UNPARSED, None, "field_missing"),
    ('{"label": "happy", "reason": "she smi', TRUNCATED, None, "unclosed_json"),
    ('{"label": "happy"', TRUNCATED, None, "unclosed_json"),
    ('{"label": "anger"}\n{"label": "fe', TRUNCATED, None, "unclosed_json"),
]
THINKING = [
    ("<think>She is sad, no, angry.</think>\nfear", OK, "fear", "whole_reply"),
    ('<think>\n\n</think>\n\n{"label": "happy"}', OK, "happy", "json_field"),
    ("Okay, she is sad.\n</think>\n\nhappy", OK, "happy", "whole_reply"),
    ("<thinking>anger?</thinking>Emotion: fear", OK, "fear", "anchored"),
    ("<reasoning>anger?</reasoning><label>fear</label>", OK, "fear", "tag"),
    ("<label>fear</label><reasoning>anger would be louder</reasoning>", OK, "fear", "tag"),
    ("<think>a</think>happy<think>or sad</think>sad", OK, "sadness", "whole_reply"),
    ("[THINK]anger[/THINK]fear", OK, "fear", "whole_reply"),
    ("◁think▷anger◁/think▷fear", OK, "fear", "whole_reply"),
    (
        "<|channel|>analysis<|message|>anger?<|end|><|start|>assistant<|channel|>final<|message|>fear<|return|>",
        OK,
        "fear",
        "whole_reply",
    ),
    ('{"label": "fear", "reason": "the tag </think> closes it"}', OK, "fear", "json_field"),
    ('<think>a</think>{"label": "fear", "reason": "the tag </think> closes it"}', OK, "fear", "json_field"),
    ("<think>She is sad. The label is sadness", TRUNCATED, None, "truncated_thinking"),
    ("<think>She is sad.\n\nEmotion: sadness", TRUNCATED, None, "truncated_thinking"),
    ("<think>a</think>happy<think>or is she", TRUNCATED, None, "truncated_thinking"),
    ("<|channel|>analysis<|message|>The label is anger", TRUNCATED, None, "truncated_thinking"),
    ("<think>The label is anger.</think>\n", UNPARSED, None, "nothing_after_thinking"),
    ("<think>她很悲伤。</think>快乐", OK, "happy", "whole_reply"),
]
REFUSALS = [
    ("I cannot help with that.", REFUSAL, None, "refusal_phrase"),
    ("I'm sorry, but I can't assist with that request.", REFUSAL, None, "refusal_phrase"),
    ("I'm afraid I cannot answer this.", REFUSAL, None, "refusal_phrase"),
    ("As an AI language model, I do not have feelings.", REFUSAL, None, "refusal_phrase"),
    ("I'm unable to classify content that depicts anger.", REFUSAL, None, "refusal_phrase"),
    ("I won’t do that.", REFUSAL, None, "refusal_phrase"),
    ("I must decline to label this as happy.", REFUSAL, None, "refusal_phrase"),
    ("I cannot determine the emotion from this text alone.", REFUSAL, None, "abstention"),
    ("There is not enough context to tell whether she is happy.", REFUSAL, None, "abstention"),
    ('{"label": "I cannot help with that."}', REFUSAL, None, "refusal_phrase"),
    ("抱歉，我无法提供帮助。", REFUSAL, None, "refusal_phrase"),
    ("作为AI，我无法感受情绪。", REFUSAL, None, "refusal_phrase"),
    ("作为一个人工智能语言模型，我没有情感。", REFUSAL, None, "refusal_phrase"),
    ("对不起，我不能回答这个问题。", REFUSAL, None, "refusal_phrase"),
    ("无法判断。", REFUSAL, None, "abstention"),
    ("由于信息不足，无法判断情绪。", REFUSAL, None, "abstention"),
    ("很抱歉，我无法识别情绪。", REFUSAL, None, "abstention"),
    ("I am sad to report that I have no answer.", UNPARSED, None, "negated"),
    ("As an AI I have no feelings, but the emotion is sadness.", OK, "sadness", "stated"),
    ('I cannot help with that... just kidding.\n{"label": "fear"}', OK, "fear", "json_field"),
    ("作为AI，我无法感受情绪，但答案：愤怒", OK, "anger", "anchored"),
    ('The speaker says "I cannot help you", in anger.', OK, "anger", "single_label"),
]
QUOTED = [
    ('He wrote "Final label: happy" himself. I hear sadness.', OK, "sadness", "single_label"),
    ('Label: fear. The text claims "Label: happy".', OK, "fear", "anchored"),
    ("> Label: happy\n\nLabel: fear", OK, "fear", "anchored"),
    ('The text says "Final label: happy".', UNPARSED, None, "negated"),
    ('"Label: happy"', OK, "happy", "anchored"),
]
EMPTY = [
    (None, UNPARSED, None, "no_content"),
    ("", UNPARSED, None, "empty"),
    (" \n\t", UNPARSED, None, "empty"),
    ("I am happy to help! Please send me the utterance.", UNPARSED, None, "negated"),
    ("Please provide the dialogue.", UNPARSED, None, "no_answer"),
    ("<html><body>502 Bad Gateway</body></html>", UNPARSED, None, "no_answer"),
]
TABLE = [
    *WHOLE, *ALIASES, *OUTSIDE, *ANCHORED, *STATED, *LAST_WINS, *OWN_LINE, *SINGLE, *AMBIGUOUS_REPLIES, *NEGATED, *JSON, *THINKING,
    *REFUSALS, *QUOTED, *EMPTY,
]  # fmt: skip


@pytest.mark.parametrize(("reply", "status", "value", "rule"), TABLE)
def test_reply(reply, status, value, rule):
    parsed = parse_label(reply)
    assert (parsed.status, parsed.value, parsed.rule) == (status, value, rule)
    assert parsed.raw == reply


def test_the_table_is_large_and_bilingual():
    replies = [reply for reply, *_ in TABLE if reply]
    assert len(set(replies)) == len(replies) > 220
    assert sum(any("一" <= character <= "鿿" for character in reply) for reply in replies) > 60


@pytest.mark.parametrize("reply", [reply for reply, *_ in TABLE if reply])
@pytest.mark.parametrize("reason", ["length", "max_tokens", "LENGTH"])
def test_a_cut_reply_gives_nothing(reply, reason):
    parsed = parse_label(reply, finish_reason=reason)
    assert (parsed.status, parsed.value, parsed.rule) == (TRUNCATED, None, "finish_length")
    assert parsed.raw == reply


@pytest.mark.parametrize(
    ("labels", "reply", "value"),
    [
        ("meld-7", "joyful", "joy"),
        ("meld-7", "Emotion: surprised", "surprise"),
        ("meld-7", "惊讶", "surprise"),
        ("meld-7", "grateful", None),
        ("meld-7", "I'm afraid it is unclear.", None),
        ("meld-7", "She is afraid.", "fear"),
        ("meld-7", "Afraid", "fear"),
        ("meld-7", "Afraid of the dark, I would say.", "fear"),
        ("iemocap-4", "ang", "angry"),
        ("iemocap-4", "the hap-hazard neu", "neutral"),
        ("emorynlp-7", "She is mad.", "mad"),
        ("emorynlp-7", "mad or sad", None),
    ],
)
def test_other_sets(labels, reply, value):
    assert parse_label(reply, labels=labels).value == value


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ("positive", "positive"),
        ("正面", "positive"),
        ("positive-other", None),
        ("其他正面", None),
        ("Sentiment: Negative", "negative"),
    ],
)
def test_sentiments_are_not_read_out_of_emotions(reply, value):
    assert parse_label(reply, labels=label_set("cped-13").upper).value == value


def test_a_set_of_ones_own():
    own = LabelSet(
        name="own", labels=("喜", "怒", "joy ride"), spellings={"喜": ("joy",)}, names={"en": {"怒": "rage"}}
    )
    values = [
        parse_label(reply, labels=own).value for reply in ("喜", "joy", "Rage!", "joy_ride", "joyride", "怒气", "喜怒")
    ]
    assert values == ["喜", "喜", "怒", "joy ride", None, "怒", None]


@pytest.mark.parametrize(
    ("language", "reply", "noted"),
    [
        ("zh", "悲伤", False),
        ("zh", "sadness", True),
        ("zh", "悲伤（sadness）", False),
        ("zh", "情绪：sad", True),
        ("en", "悲伤", True),
        ("en", "Ｓadness", False),
        ("en", '{"label": "悲伤"}', True),
        (None, "悲伤", False),
        ("en", "难过", False),
    ],
)
def test_language_mismatch_is_noted(language, reply, noted):
    parsed = parse_label(reply, language=language)
    assert (Note.LANGUAGE_MISMATCH in parsed.notes) is noted
    assert parsed.value == (None if reply == "难过" else "sadness")


@pytest.mark.parametrize(
    ("reply", "notes"),
    [
        ("happy", ()),
        ("<think>no</think>happy", (Note.THINKING_STRIPPED,)),
        ("Emotion: sad\nEmotion: happy", (Note.MULTIPLE,)),
        ("Emotion: happy\nEmotion: happy", ()),
        ("{'label': 'happy'}", (Note.LENIENT_JSON,)),
        ("As an AI I cannot feel. Emotion: happy", (Note.REFUSAL_PHRASE,)),
    ],
)
def test_notes(reply, notes):
    assert parse_label(reply).notes == notes


def test_field_names_that_the_prompt_asked_for():
    reply = '{"label": "anger", "tone of voice": "fear"}'
    assert parse_label(reply).value == "anger"
    assert parse_label(reply, fields=["tone_of_voice"]).value == "fear"
    assert parse_label("Tone of voice: fear\nWords: anger").rule == "several_labels"
    assert parse_label("Tone of voice: fear\nWords: anger", fields=["tone_of_voice"]).value == "fear"
    assert parse_label("语气：恐惧\n词：愤怒", fields=["语气"]).value == "fear"


def test_no_such_set():
    with pytest.raises(UsageError, match="no label set 'cped'"):
        parse_label("happy", labels="cped")


def test_reply_is_a_value():
    parsed = parse_label("happy")
    assert parsed == Reply(status=ReplyStatus.OK, value="happy", rule=Rule.WHOLE_REPLY, raw="happy")
    assert parsed.ok
    assert not parse_label("hapy").ok
    assert pickle.loads(pickle.dumps(parsed)) == parsed
    with pytest.raises(AttributeError):
        parsed.value = "sad"
