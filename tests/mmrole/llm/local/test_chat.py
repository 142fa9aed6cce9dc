"""A real chat model of 20 thousand random weights: what it says is nonsense, how it is asked and read is not."""

from __future__ import annotations

import asyncio

import pytest

from mmrole.core.errors import ModelError, ModelFileError, UsageError
from mmrole.llm import (
    BatchItem,
    ChatRequest,
    ErrorKind,
    ImagePart,
    LocalChatModel,
    Outcome,
    Parameters,
    ask,
    batch_journal,
    run_batch,
    system,
    user,
)

pytestmark = pytest.mark.local


@pytest.fixture(scope="module")
def model(chat_folder):
    return LocalChatModel(chat_folder, defaults=Parameters(temperature=0.0, max_tokens=12))


def request_with(text="How are you?", number=0, **parameters):
    return ChatRequest(messages=(system("Answer."), user(text)), parameters=Parameters(**parameters), round=number)


def test_the_reply_is_what_transformers_generates_from_the_chat_template(model, chat_folder, torch):
    from transformers import AutoModelForCausalLM, AutoTokenizer

    tokenizer = AutoTokenizer.from_pretrained(chat_folder)
    prompt = tokenizer("<|system|>Answer.</s><|user|>How are you?</s><|assistant|>", return_tensors="pt")
    network = AutoModelForCausalLM.from_pretrained(chat_folder)
    with torch.inference_mode():
        made = network.generate(**prompt, max_new_tokens=12, do_sample=False)[0][prompt["input_ids"].shape[1] :]
    reply = ask(model, request_with())
    assert reply.text == tokenizer.decode(made, skip_special_tokens=True)
    assert reply.usage.prompt_tokens == prompt["input_ids"].shape[1]
    assert reply.usage.completion_tokens == len(made) == 12
    assert reply.outcome is Outcome.LENGTH  # twelve tokens, and none of them ends the reply


def test_sampling_repeats_with_a_seed_and_differs_between_rounds(model):
    same = [ask(model, request_with(temperature=1.0, seed=7)).text for _ in range(2)]
    assert same[0] == same[1]
    assert ask(model, request_with(temperature=1.0, seed=7, number=1)).text != same[0]


def test_a_seed_leaves_the_random_state_of_others_alone(model, torch):
    torch.manual_seed(3)
    wanted = torch.rand(2)
    torch.manual_seed(3)
    ask(model, request_with(temperature=1.0, seed=7))
    assert torch.equal(torch.rand(2), wanted)


def test_a_stop_string_ends_the_reply_and_is_not_part_of_it(model):
    whole = ask(model, request_with()).text
    mark = whole[4:6]
    reply = ask(model, request_with(stop=(mark,)))
    assert reply.text == whole[: whole.index(mark)]
    assert reply.outcome is Outcome.STOP


def test_a_reply_that_ends_at_once_is_none(model):
    first = ask(model, request_with()).text[:1]
    reply = ask(model, request_with(stop=(first,)))
    assert (reply.error, reply.text, reply.spent.completion_tokens > 0) == (ErrorKind.EMPTY, None, True)


def test_a_run_over_many_items(model, tmp_path):
    items = [BatchItem(item_id=str(number), request=request_with(f"item {number}")) for number in range(6)]
    with batch_journal(tmp_path / "replies.jsonl") as journal:
        result = run_batch(items, model, journal)
        assert (result.done, result.failed, len(journal)) == (6, 0, 6)
        again = run_batch(items, LocalChatModel(model.model, defaults=model.defaults), journal)
        assert again.reused == 6


def test_a_prompt_that_is_too_long_is_told(model):
    reply = ask(model, request_with("a" * 300))
    assert reply.error is ErrorKind.TOO_LONG
    assert "256" in reply.detail


@pytest.mark.parametrize(
    ("request_made", "word"),
    [
        (ChatRequest(messages=(user(ImagePart(data=b"x")),)), "text only"),
        (request_with(response_format={"type": "json_object"}), "response_format"),
        (request_with(extra={"top_k": 3}), "top_k"),
    ],
)
def test_what_it_cannot_do_is_said_not_left_out(model, request_made, word):
    reply = ask(model, request_made)
    assert reply.error is ErrorKind.BAD_REQUEST
    assert word in reply.detail


def test_defaults_that_it_cannot_follow_are_refused_at_once(chat_folder):
    with pytest.raises(UsageError, match="response_format"):
        LocalChatModel(chat_folder, defaults=Parameters(response_format={"type": "json_object"}))


def test_template_arguments_reach_the_template(chat_folder, tmp_path):
    import shutil

    folder = shutil.copytree(chat_folder, tmp_path / "model")
    template = "{{ messages[0]['content'] }}{% if loud %}!!!{% endif %}"
    (folder / "chat_template.jinja").write_text(template)
    model = LocalChatModel(folder, defaults=Parameters(max_tokens=1, temperature=0.0))
    quiet = ask(model, request_with())
    loud = ask(model, request_with(extra={"chat_template_kwargs": {"loud": True}}))
    assert loud.usage.prompt_tokens - quiet.usage.prompt_tokens == 3


def test_a_model_without_a_chat_template_is_refused(chat_folder, tmp_path):
    import shutil

    folder = shutil.copytree(chat_folder, tmp_path / "model")
    (folder / "chat_template.jinja").unlink()
    with pytest.raises(ModelError, match="no chat template"):
        ask(LocalChatModel(folder), request_with())


def test_a_missing_model_is_one_line(tmp_path, torch):
    with pytest.raises(ModelFileError, match="cannot be loaded") as caught:
        ask(LocalChatModel(tmp_path), request_with())
    assert "\n" not in str(caught.value)


def test_other_weights_are_another_identity(chat_folder, tmp_path):
    import shutil

    folder = shutil.copytree(chat_folder, tmp_path / "model")
    first = LocalChatModel(folder).identity
    assert LocalChatModel(folder).identity == first
    data = bytearray((folder / "model.safetensors").read_bytes())
    data[-1] ^= 1
    (folder / "model.safetensors").write_bytes(data)
    assert LocalChatModel(folder).identity["weights"] != first["weights"]


def test_a_cancelled_reply_stops_the_model(chat_folder, torch):
    model = LocalChatModel(chat_folder, defaults=Parameters(temperature=0.0, max_tokens=200))
    ask(model, request_with(max_tokens=1))
    network = model._loaded.network
    steps = []
    network.register_forward_pre_hook(lambda *_: steps.append(1))

    async def give_up():
        task = asyncio.create_task(model.complete(request_with()))
        while not steps:
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(give_up())
    model._one_at_a_time.submit(lambda: None).result()  # the thread is free again
    assert len(steps) < 200
