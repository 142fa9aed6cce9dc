"""A chat model in this process."""

from __future__ import annotations

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from mmrole.core.canonical import Record
from mmrole.core.errors import ModelError, UsageError
from mmrole.llm.chat import ChatRequest, Parameters, TextPart
from mmrole.llm.local.loading import load, load_network, require_local, torch, transformers, weights_of
from mmrole.llm.outcome import ChatReply, ErrorKind, Usage

_MAX_TOKENS = 512
"""When neither the request nor the configuration limits the reply."""


@dataclass(frozen=True, kw_only=True)
class _Loaded:
    tokenizer: Any
    network: Any
    context: int | None


class LocalChatModel:
    """A chat model through transformers, with its own chat template. It takes text only, one request after another.

    A server such as vLLM is many times faster on many requests; this is for small models and for machines without a server.

    Args:
        model: folder, or name on the model hub
        device: ``cpu``, ``cuda``, ``cuda:1``, ...
        dtype: ``auto``, ``float32``, ``bfloat16``, ...
        defaults: parameters where a request sets none

    Raises:
        MissingExtraError: the extra ``local`` is not installed
        UsageError: a default parameter that no local model can follow
    """

    def __init__(
        self, model: str | Path, *, device: str = "cpu", dtype: str = "auto", defaults: Parameters | None = None
    ) -> None:
        require_local()
        self.model = str(model)
        self.device = device
        self.dtype = dtype
        self.defaults = defaults or Parameters()
        refused = _not_possible(ChatRequest(messages=()), self.defaults)
        if refused is not None:
            raise UsageError(f"{self.model}: {refused}")
        self._loading = threading.Lock()
        self._one_at_a_time = ThreadPoolExecutor(max_workers=1, thread_name_prefix="mmrole-local")

    def __repr__(self) -> str:
        return f"LocalChatModel({self.model!r}, device={self.device!r}, dtype={self.dtype!r})"

    @cached_property
    def identity(self) -> Record:
        """Model, weights, number format, device and default parameters."""
        return {
            "kind": "local",
            "model": self.model,
            "weights": weights_of(self.model),
            "dtype": self.dtype,
            "device": self.device,
            "parameters": self.defaults.to_record(),
        }

    @cached_property
    def _loaded(self) -> _Loaded:
        with self._loading:
            tokenizer = load("AutoTokenizer", self.model)
            if not tokenizer.chat_template:
                raise ModelError(f"the model {self.model} has no chat template: choose one that is tuned for chat")
            network = load_network("AutoModelForCausalLM", self.model, device=self.device, dtype=self.dtype)
            context = getattr(network.config, "max_position_embeddings", None)
            return _Loaded(tokenizer=tokenizer, network=network, context=context)

    @property
    def concurrency(self) -> int:
        """One reply at a time; a second request waits so that there is always work."""
        return 2

    async def complete(self, request: ChatRequest) -> ChatReply:
        """The model's reply.

        Raises:
            ModelFileError: it cannot be loaded
            ModelError: it has no chat template
        """
        given_up = threading.Event()
        work = asyncio.get_running_loop().run_in_executor(self._one_at_a_time, self._reply, request, given_up)
        try:
            return await work
        except asyncio.CancelledError:
            given_up.set()  # a thread cannot be stopped from outside; the model ends with its next token
            raise

    async def close(self) -> None:
        """Does nothing: the model stays in memory, and is gone with its object."""

    def _reply(self, request: ChatRequest, given_up: threading.Event) -> ChatReply:
        chosen = request.parameters.over(self.defaults)
        refused = _not_possible(request, chosen)
        if refused is not None:
            return ChatReply(error=ErrorKind.BAD_REQUEST, detail=refused)
        loaded = self._loaded
        prompt = loaded.tokenizer.apply_chat_template(
            [{"role": message.role, "content": message.text} for message in request.messages],
            add_generation_prompt=True,
            return_tensors="pt",
            return_dict=True,
            **chosen.extra.get("chat_template_kwargs", {}),
        ).to(self.device)
        length = int(prompt["input_ids"].shape[1])
        most = chosen.max_tokens if chosen.max_tokens is not None else _MAX_TOKENS
        if loaded.context is not None:
            most = min(most, loaded.context - length)
        if most < 1:
            detail = f"the prompt has {length} tokens, and the model takes {loaded.context}"
            return ChatReply(error=ErrorKind.TOO_LONG, detail=detail)
        tokens = self._generate(prompt, chosen, most, request.round, given_up)[length:]
        return self._read(tokens, chosen.stop, prompt_tokens=length, most=most)

    def _generate(
        self, prompt: Any, chosen: Parameters, most: int, number: int, given_up: threading.Event
    ) -> list[int]:
        loaded, library = self._loaded, torch()
        options: dict[str, Any] = {"max_new_tokens": most, **_sampling(chosen)}
        if chosen.stop:
            options |= {"stop_strings": list(chosen.stop), "tokenizer": loaded.tokenizer}
        if loaded.network.generation_config.pad_token_id is None:
            options["pad_token_id"] = loaded.tokenizer.eos_token_id or 0
        stopping = transformers().StoppingCriteriaList([_until(given_up)])
        with library.inference_mode(), library.random.fork_rng(enabled=chosen.seed is not None):
            if chosen.seed is not None:
                library.manual_seed(chosen.seed + number)
            made = loaded.network.generate(**prompt, **options, stopping_criteria=stopping)
        return [int(token) for token in made[0]]

    def _read(self, tokens: list[int], stop: tuple[str, ...], *, prompt_tokens: int, most: int) -> ChatReply:
        loaded = self._loaded
        ends = loaded.network.generation_config.eos_token_id
        end_tokens = set(ends) if isinstance(ends, (list, tuple)) else {ends}
        text = loaded.tokenizer.decode(tokens, skip_special_tokens=True)
        at = min((place for place in (text.find(end) for end in stop) if place >= 0), default=None)
        ended = at is not None or (bool(tokens) and tokens[-1] in end_tokens) or len(tokens) < most
        usage = Usage(prompt_tokens=prompt_tokens, completion_tokens=len(tokens))
        text = text if at is None else text[:at]
        if ended and not text.strip():
            detail = "the model ended at once and said nothing"
            return ChatReply(error=ErrorKind.EMPTY, detail=detail, usage=usage, spent=usage, model=self.model)
        return ChatReply(
            text=text, finish_reason="stop" if ended else "length", usage=usage, spent=usage, model=self.model
        )


def _not_possible(request: ChatRequest, chosen: Parameters) -> str | None:
    """What in a request a local model cannot do; leaving it out in silence would be another request."""
    if any(not isinstance(part, TextPart) for message in request.messages for part in message.parts):
        return "a local model takes text only: use an endpoint for pictures and sound"
    if chosen.response_format is not None:
        return "a local model cannot hold to a response_format: leave it out"
    unknown = sorted(set(chosen.extra) - {"chat_template_kwargs"})
    return f"a local model does not know {unknown[0]!r}: leave it out" if unknown else None


def _sampling(chosen: Parameters) -> dict[str, Any]:
    """Arguments of ``generate``; what is not set is left to the model's own generation configuration."""
    if chosen.temperature == 0:
        return {"do_sample": False, "temperature": None, "top_p": None, "top_k": None}
    options: dict[str, Any] = {"temperature": chosen.temperature, "top_p": chosen.top_p}
    options = {name: value for name, value in options.items() if value is not None}
    return {"do_sample": True, **options} if options else {}


def _until(given_up: threading.Event) -> Any:
    base = transformers().StoppingCriteria

    class Until(base):  # type: ignore[misc, valid-type]  # the base is there only once transformers is loaded
        def __call__(self, input_ids: Any, *_: Any, **__: Any) -> Any:
            return torch().full((input_ids.shape[0],), given_up.is_set(), dtype=torch().bool, device=input_ids.device)

    return Until()
