"""The exception tree: every error that a caller may expect.

::

    MMRoleError
    ├── UsageError(ValueError)              an argument or a path makes no sense: exit code 2
    ├── InputError(ValueError)              a file that was given cannot be understood
    │   └── MediaError                      a clip or one of its streams, with its reason code
    ├── StoreError(RuntimeError)            an output folder is damaged or incomplete
    │   ├── LockedError                     another run is working on it
    │   └── DiskError(OSError)              it cannot be written: full disk, no permission
    ├── ClusterError(ConnectionError)       the cluster that should do the work cannot be reached
    ├── ModelFileError(FileNotFoundError)   a model file is missing or has the wrong bytes
    ├── ModelError(RuntimeError)            a model cannot answer at all, so that a run ends; what is done is stored
    │   └── EndpointError(ConnectionError)  its endpoint: wrong key, unknown model, dead host, no API there
    │       └── QuotaError                  the account has nothing left
    └── MissingExtraError(ImportError)      an optional part is not installed
        └── ShadowedPackageError            a stranger's package has the name of one of ours

The message of each is one line that names the input and says what to do; the command line prints it as it is.
"""

from __future__ import annotations


class MMRoleError(Exception):
    """Base of all errors that mmrole raises on purpose."""


class UsageError(MMRoleError, ValueError):
    """An argument, option or path that makes no sense."""


class InputError(MMRoleError, ValueError):
    """A file that was given cannot be understood."""


class MediaError(InputError):
    """A clip, or one of its streams, cannot be measured.

    Args:
        reason: a code of `mmrole.core.media.Reason`
        detail: what was seen, for people
    """

    def __init__(self, reason: str, detail: str) -> None:
        super().__init__(f"{reason}: {detail}")
        self.reason = reason
        self.detail = detail

    def __reduce__(self) -> tuple[type[MediaError], tuple[str, str]]:
        # workers send their errors home by pickle, which calls the class with `args`
        return type(self), (self.reason, self.detail)


class StoreError(MMRoleError, RuntimeError):
    """An output folder is damaged or incomplete."""


class LockedError(StoreError):
    """Another run is working on the same folder."""


class DiskError(StoreError, OSError):
    """The output folder cannot be written."""


class ClusterError(MMRoleError, ConnectionError):
    """The cluster that should do the work cannot be reached, or was lost."""


class ModelFileError(MMRoleError, FileNotFoundError):
    """A model file is missing or does not have the bytes it should have."""


class ModelError(MMRoleError, RuntimeError):
    """A model cannot answer at all, so that a run over it ends; what is done is stored."""


class EndpointError(ModelError, ConnectionError):
    """An endpoint cannot be used: wrong key, unknown model, dead host, or no API at its address."""


class QuotaError(EndpointError):
    """The account behind an endpoint has nothing left."""


class MissingExtraError(MMRoleError, ImportError):
    """An optional part of mmrole is not installed."""


class ShadowedPackageError(MissingExtraError):
    """Another package of the same name is found instead of mmrole's own."""
