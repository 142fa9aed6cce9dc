"""The reply cache: one small file per request, shared by runs, so that nothing is paid for twice."""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import tempfile
import time
import weakref
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from mmrole.core.canonical import Record, content_key, to_json
from mmrole.core.errors import DiskError
from mmrole.core.files import disk_error, explained, make_folder
from mmrole.llm.chat import ChatModel, ChatRequest
from mmrole.llm.outcome import ChatReply, Outcome

REQUEST_VERSION = 1
"""Part of every key. Raise it when the same request is put differently on the wire, or its reply read differently."""

_UNFINISHED = ".unfinished-"
_DAY_S = 86_400.0
_log = logging.getLogger(__name__)


def request_key(identity: Record, request: ChatRequest) -> str:
    """SHA-256 of everything that decides a reply: model, address, messages, parameters, round, version of this code.

    Args:
        identity: of the model, see `mmrole.llm.chat.ChatModel`
        request: what is asked
    """
    return content_key(model=identity, request=request.to_record(), version=REQUEST_VERSION)


def cache_folder(folder: str | Path | None = None) -> Path:
    """Where the cache is: the argument, else ``MMROLE_CACHE``, else ``mmrole`` in the user's cache folder."""
    named = folder or os.environ.get("MMROLE_CACHE")
    if named:
        return Path(named)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "mmrole"


@dataclass(frozen=True, kw_only=True)
class CacheStats:
    """What is in a cache.

    Attributes:
        folder: where it is
        replies: how many
        size_bytes: of their files
        oldest: seconds since the epoch, None when there is none
        newest: the same
    """

    folder: Path
    replies: int
    size_bytes: int
    oldest: float | None
    newest: float | None


class ReplyCache:
    """Replies by key, a file each.

    Files are put into place in one step, so any number of runs, also on several machines, may share a folder. A file that a
    crash left damaged counts as absent.

    Args:
        folder: see `cache_folder`; made when the first reply is stored
    """

    def __init__(self, folder: str | Path | None = None) -> None:
        self.folder = cache_folder(folder) / "replies"

    def _path(self, key: str) -> str:
        return f"{self.folder}/{key[:2]}/{key}.json"

    def get(self, key: str) -> ChatReply | None:
        """The reply stored under a key, None when there is none."""
        try:
            with open(self._path(key), "rb") as file:  # noqa: PTH123  a third of the time of a Path, and this is the hot path
                record = json.loads(file.read())
            return replace(ChatReply.from_record(record["reply"]), attempts=0) if record["key"] == key else None
        except (OSError, ValueError, KeyError, TypeError):
            return None

    def put(self, key: str, reply: ChatReply) -> None:
        """Stores a reply.

        Raises:
            ValueError: it is not a whole reply, and those are not kept
            DiskError: it cannot be written
        """
        if reply.outcome is not Outcome.STOP:
            raise ValueError(f"only whole replies are kept, not {reply.outcome}")
        path = Path(self._path(key))
        data = to_json({"key": key, "reply": reply.to_record()}).encode()
        with explained(path):
            # not flushed to the disk: what a crash destroys is seen on reading and costs one call; the journal is what lasts
            try:
                handle, name = tempfile.mkstemp(prefix=_UNFINISHED, dir=path.parent)
            except FileNotFoundError:
                make_folder(path.parent)
                handle, name = tempfile.mkstemp(prefix=_UNFINISHED, dir=path.parent)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(data)
                os.replace(name, path)  # noqa: PTH105  see above
            except BaseException:
                with contextlib.suppress(OSError):
                    os.unlink(name)  # noqa: PTH108  see above
                raise

    def _files(self) -> Iterator[tuple[Path, os.stat_result]]:
        for path in sorted(self.folder.glob("[0-9a-f][0-9a-f]/*")):
            with contextlib.suppress(FileNotFoundError):  # another run prunes as well
                yield path, path.stat()

    def stats(self) -> CacheStats:
        """How much is in it."""
        found = [(status.st_size, status.st_mtime) for path, status in self._files() if path.suffix == ".json"]
        times = [written for _, written in found]
        return CacheStats(
            folder=self.folder,
            replies=len(found),
            size_bytes=sum(size for size, _ in found),
            oldest=min(times, default=None),
            newest=max(times, default=None),
        )

    def prune(self, *, older_than_days: float = 0.0, now: float | None = None) -> CacheStats:
        """Removes what was stored longer ago than that, and what killed runs left unfinished for a day.

        Args:
            older_than_days: 0 removes all
            now: the time to count from, in seconds since the epoch

        Returns:
            what was removed

        Raises:
            DiskError: a file cannot be removed
        """
        present = time.time() if now is None else now
        removed: list[tuple[int, float]] = []
        for path, status in self._files():
            age_days = (present - status.st_mtime) / _DAY_S
            finished = path.suffix == ".json"
            if age_days < (older_than_days if finished else 1.0):
                continue
            try:
                path.unlink(missing_ok=True)
            except OSError as error:
                raise disk_error(path, error) from error
            if finished:
                removed.append((status.st_size, status.st_mtime))
        times = [written for _, written in removed]
        return CacheStats(
            folder=self.folder,
            replies=len(removed),
            size_bytes=sum(size for size, _ in removed),
            oldest=min(times, default=None),
            newest=max(times, default=None),
        )


def _always(_: ChatReply) -> bool:
    return True


class CachedModel:
    """A model whose whole replies are kept and given again.

    Two equal requests at the same time are one call: the second waits for the first.

    Args:
        model: answers what is not in the cache
        cache: where replies are kept
    """

    def __init__(self, model: ChatModel, cache: ReplyCache) -> None:
        self._model = model
        self._identity = model.identity
        self._cache = cache
        self._asking: weakref.WeakValueDictionary[str, asyncio.Lock] = weakref.WeakValueDictionary()
        self._writable = True

    @property
    def identity(self) -> Record:
        """The model's."""
        return self._identity

    async def complete(self, request: ChatRequest) -> ChatReply:
        """The reply from the cache, else the model's."""
        return await self.complete_if(request, _always)

    async def complete_if(self, request: ChatRequest, valid: Callable[[ChatReply], bool]) -> ChatReply:
        """The same, where a reply is kept, and given again, only when it is valid.

        Args:
            request: what is asked
            valid: whether a whole reply can be used, such as whether it could be parsed
        """
        key = request_key(self._identity, request)
        found = self._cache.get(key)
        if found is not None and valid(found):
            return found
        lock = self._asking.get(key)
        if lock is None:
            lock = self._asking[key] = asyncio.Lock()
        async with lock:
            found = self._cache.get(key)
            if found is not None and valid(found):
                return found
            reply = await self._model.complete(request)
            if reply.outcome is Outcome.STOP and valid(reply):
                self._keep(key, reply)
            return reply

    def _keep(self, key: str, reply: ChatReply) -> None:
        if not self._writable:
            return
        try:
            self._cache.put(key, reply)
        except DiskError as error:  # the reply is paid for and in our hands: the run goes on, and says so once
            self._writable = False
            _log.warning("no more replies are cached: %s", error)

    async def close(self) -> None:
        """Closes the model."""
        await self._model.close()
