"""Prompts: packaged text files with ``$name`` variables, all of which are demanded and nothing else.

A prompt lies in the folder ``prompts`` of a package, as ``NAME.LANGUAGE.md``. ``$$`` is a dollar sign. Values are put in as they
are: a ``$`` inside a value stays one.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from string import Template
from typing import Final

from mmrole.core.canonical import bytes_sha256

FOLDER: Final = "prompts"


@dataclass(frozen=True, kw_only=True)
class Prompt:
    """A prompt with its variables still open.

    Attributes:
        name: such as ``incharacter/interview.en``
        text: the template; one line break at the end of the file is not part of it
        sha256: of the file's bytes, hexadecimal; it belongs into the record of every reply

    Raises:
        ValueError: a ``$`` in the text begins no variable
    """

    name: str
    text: str = field(repr=False)
    sha256: str

    def __post_init__(self) -> None:
        if not Template(self.text).is_valid():
            raise ValueError(f"prompt {self.name}: a $ begins no variable; write $$ for a dollar sign")

    @property
    def variables(self) -> frozenset[str]:
        """Names of the variables."""
        return frozenset(Template(self.text).get_identifiers())

    def fill(self, **values: str) -> str:
        """The text with every variable replaced.

        Args:
            **values: a text for every variable, and for nothing else

        Raises:
            ValueError: a variable is missing, or there is one that the prompt does not have; a mistake in the program

        >>> Prompt(name="greeting", text="Hello $name, that is $$5.", sha256="").fill(name="$you")
        'Hello $you, that is $5.'
        """
        wanted, given = self.variables, frozenset(values)
        if wanted != given:
            missing = ", ".join(sorted(wanted - given)) or "none"
            unknown = ", ".join(sorted(given - wanted)) or "none"
            raise ValueError(f"prompt {self.name}: variables missing: {missing}; not in the prompt: {unknown}")
        return Template(self.text).substitute(values)


@lru_cache(maxsize=256)
def load_prompt(package: str, name: str) -> Prompt:
    """A packaged prompt.

    Args:
        package: such as ``textbench``
        name: below its folder ``prompts``, without the ending, such as ``incharacter/interview.en``

    Raises:
        FileNotFoundError: the package has no such prompt; a mistake in the program
        ValueError: it is no template
    """
    place = files(package).joinpath(FOLDER, *f"{name}.md".split("/"))
    if not place.is_file():
        raise FileNotFoundError(f"the package {package} has no prompt {name!r}")
    data = place.read_bytes()
    text = data.decode("utf-8").replace("\r\n", "\n")
    return Prompt(name=name, text=text.removesuffix("\n"), sha256=bytes_sha256(data))
