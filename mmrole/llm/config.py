"""mmrole.toml: the models that commands use, by name. A key is never in the file, only the name of its environment variable."""

from __future__ import annotations

import difflib
import tomllib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal, Self
from urllib.parse import urlsplit

from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from mmrole.core.errors import InputError, UsageError
from mmrole.llm.chat import Parameters
from mmrole.llm.retry import RetryPolicy

DEFAULT_NAME = "mmrole.toml"
_ENVIRONMENT_NAME = r"^[A-Za-z_][A-Za-z0-9_]*$"


class EndpointConfig(BaseModel):
    """One table ``[endpoints.NAME]``.

    Attributes:
        kind: ``http`` for the chat completions API, ``local`` for a model in this process (extra ``local``)
        base_url: address of the API, such as ``http://localhost:8000/v1``
        model: the model's name at the endpoint; for ``local`` its folder or name
        api_key_env: environment variable with the key; none when the server wants none
        temperature: see `mmrole.llm.chat.Parameters`, as the seven that follow
        top_p: see there
        max_tokens: see there
        max_tokens_name: the field that carries it; newer services want ``max_completion_tokens``
        seed: see there
        stop: see there
        response_format: see there
        extra: further fields of the request body
        concurrency: at most so many requests at once
        timeout_s: for one attempt
        deadline_s: for one request, waiting and all attempts together
        attempts: at most so many
        stream: have the reply sent in pieces, for gateways that hang up on a silent connection
        device: for ``local``: ``cpu``, ``cuda``, ``cuda:1``, ...
        dtype: for ``local``: ``auto``, ``float32``, ``bfloat16``, ...
    """

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    kind: Literal["http", "local"] = "http"
    base_url: str | None = None
    model: str = Field(min_length=1)
    api_key_env: str | None = None
    temperature: float | None = Field(default=None, ge=0, le=2, allow_inf_nan=False)
    top_p: float | None = Field(default=None, gt=0, le=1, allow_inf_nan=False)
    max_tokens: int | None = Field(default=None, ge=1)
    max_tokens_name: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    seed: int | None = None
    stop: tuple[str, ...] = ()
    response_format: dict[str, Any] | None = None
    extra: dict[str, Any] = Field(default_factory=dict)
    concurrency: int = Field(default=16, ge=1, le=1024)
    timeout_s: float = Field(default=120.0, gt=0, allow_inf_nan=False)
    deadline_s: float = Field(default=600.0, gt=0, allow_inf_nan=False)
    attempts: int = Field(default=6, ge=1, le=100)
    stream: bool = False
    device: str = "cpu"
    dtype: str = "auto"

    # The messages below never repeat what was given: a key in the wrong place must not reach a terminal or a log.

    @field_validator("api_key_env")
    @classmethod
    def _names_a_variable(cls, name: str | None) -> str | None:
        import re

        if name is not None and not re.match(_ENVIRONMENT_NAME, name):
            raise ValueError("must be the name of an environment variable, not the key itself")
        return name

    @field_validator("base_url")
    @classmethod
    def _is_an_address(cls, url: str | None) -> str | None:
        if url is None:
            return None
        try:
            parts = urlsplit(url)
            port_is_fine = parts.port is None or parts.port > 0
        except ValueError:
            port_is_fine = False
        if not port_is_fine or parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError("must be an address such as http://localhost:8000/v1")
        if parts.username or parts.password or parts.query or parts.fragment:
            raise ValueError("must hold no user, password or query; a key belongs into the variable of api_key_env")
        return url.rstrip("/")

    @model_validator(mode="after")
    def _fits_its_kind(self) -> Self:
        if self.kind == "http" and self.base_url is None:
            raise ValueError("base_url is missing")
        if self.kind == "local" and (self.base_url or self.api_key_env):
            raise ValueError('base_url and api_key_env make no sense with kind = "local"')
        return self

    @property
    def parameters(self) -> Parameters:
        """The model parameters for requests that set none."""
        return Parameters(
            temperature=self.temperature,
            top_p=self.top_p,
            max_tokens=self.max_tokens,
            seed=self.seed,
            stop=self.stop,
            response_format=self.response_format,
            extra=self.extra,
        )

    @property
    def retry(self) -> RetryPolicy:
        """How long to keep asking."""
        return RetryPolicy(attempts=self.attempts, deadline_s=self.deadline_s)


class Config(BaseModel):
    """The whole of mmrole.toml.

    Attributes:
        endpoints: models by name
        prices: the price list, a path from the folder of mmrole.toml; see `mmrole.llm.cost.read_prices`
        experts: a panel may be in the same file; other code reads it
        path: the file that was read
    """

    model_config = ConfigDict(extra="forbid", frozen=True, hide_input_in_errors=True)

    endpoints: dict[str, EndpointConfig] = Field(default_factory=dict)
    prices: str | None = None
    experts: Any = Field(default=None, exclude=True)
    path: Path | None = Field(default=None, exclude=True)

    @property
    def prices_path(self) -> Path | None:
        """Where the price list is, None when none is named."""
        if self.prices is None:
            return None
        return Path(self.prices) if self.path is None else self.path.parent / self.prices

    def endpoint(self, name: str) -> EndpointConfig:
        """The endpoint of a name.

        Raises:
            UsageError: there is none; the message says which there are
        """
        if name in self.endpoints:
            return self.endpoints[name]
        where = self.path or "the configuration"
        if not self.endpoints:
            raise UsageError(f"{where} has no endpoints: add a table [endpoints.{name}] with base_url and model")
        raise UsageError(f"{where} has no endpoint {name!r}: {_meant(name, self.endpoints)}")


def read_config(path: str | Path | None = None) -> Config:
    """Reads mmrole.toml.

    Args:
        path: the file; None means ``mmrole.toml`` in the working folder

    Raises:
        UsageError: there is no such file
        InputError: the file is no TOML or has something in it that makes no sense; one line with file and key
    """
    place = Path(path) if path is not None else Path.cwd() / DEFAULT_NAME
    content = _read_toml(place)
    if "path" in content:
        raise InputError(f"{place}: path: unknown key; {_meant('path', ('endpoints', 'prices'))}")
    try:
        return Config.model_validate({**content, "path": place})
    except ValidationError as error:
        raise InputError(f"{place}: {explain(error)}") from None


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_bytes().decode("utf-8-sig"))
    except FileNotFoundError:
        raise UsageError(
            f"{path} is missing: write it with a table [endpoints.NAME] (base_url, model), or name another file with --config"
        ) from None
    except OSError as error:
        raise UsageError(f"{path} cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise InputError(f"{path} is not UTF-8: save it as UTF-8") from None
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"{path} is no TOML: {_without_quotes(str(error))}") from None


def _without_quotes(message: str) -> str:
    # tomllib quotes at most one character of the file, so that no key can be in its message
    return message if len(message) < 200 else message[:200]


def explain(error: ValidationError) -> str:
    """The first thing that is wrong, as one line that names the key; what was given is not repeated."""
    first, *others = error.errors(include_url=False, include_input=False, include_context=False)
    place = [str(step) for step in first["loc"]]
    more = f" (and {len(others)} more)" if others else ""
    if first["type"] == "extra_forbidden":
        known = EndpointConfig.model_fields if len(place) == 3 else [n for n in Config.model_fields if n != "path"]
        name = place[-1]
        if len(place) == 3 and "key" in name.lower() and name != "api_key_env":
            hint = "keys are read from the environment; name the variable with api_key_env"
        else:
            hint = _meant(name, known)
        return f"{'.'.join(place)}: unknown key; {hint}{more}"
    message = first["msg"].removeprefix("Value error, ")
    return f"{'.'.join(place) or 'the file'}: {message[:1].lower()}{message[1:]}{more}"


def _meant(name: str, known: Iterable[str]) -> str:
    names = sorted(known)
    close = difflib.get_close_matches(name, names, n=1)
    return f"did you mean {close[0]!r}?" if close else f"there are {', '.join(names)}"
