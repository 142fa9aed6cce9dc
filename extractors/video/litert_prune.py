"""Takes the parts out of a LiteRT model file that only feed outputs nobody reads."""

from __future__ import annotations

import struct
from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np

from mmrole.core.errors import ModelFileError

# field numbers of the schema (tensorflow/lite/schema/schema.fbs, version 3)
_MODEL_SUBGRAPHS: Final = 2
_SUBGRAPH_OUTPUTS: Final = 2
_SUBGRAPH_OPERATORS: Final = 3
_OPERATOR_INPUTS: Final = 1
_OPERATOR_OUTPUTS: Final = 2
_IDENTIFIER: Final = b"TFL3"


def keep_outputs(model: bytes, outputs: Sequence[int]) -> bytes:
    """Keeps some outputs of a model and the operators that they need.

    An interpreter runs every operator of the file, also those whose result is not asked for. Here the list of
    operators and the list of outputs are shortened in place; tensors and weights keep their numbers, so the remaining
    operators compute what they computed before.

    Args:
        model: a .tflite file with one subgraph
        outputs: positions in the model's list of outputs, increasing

    Returns:
        the changed file, of the same length

    Raises:
        ModelFileError: not a model of one subgraph, or it has no such output
    """
    if model[4:8] != _IDENTIFIER:
        raise ModelFileError("a model file does not hold a LiteRT model: fetch it again (`mmrole models fetch`)")
    data = bytearray(model)
    subgraphs = list(_tables(data, _field(data, _offset(data, 0), _MODEL_SUBGRAPHS)))
    if len(subgraphs) != 1:
        raise ModelFileError(f"a model file holds {len(subgraphs)} graphs where one is expected")
    (graph,) = subgraphs
    output_list = _field(data, graph, _SUBGRAPH_OUTPUTS)
    tensors = _integers(data, output_list)
    if list(outputs) != sorted(set(outputs)) or not all(0 <= position < len(tensors) for position in outputs):
        raise ModelFileError(f"a model file has {len(tensors)} outputs, not those that are needed: {list(outputs)}")
    kept = [tensors[position] for position in outputs]
    operator_list = _field(data, graph, _SUBGRAPH_OPERATORS)
    _shorten(data, operator_list, _needed(data, list(_tables(data, operator_list)), kept))
    struct.pack_into(f"<I{len(kept)}i", data, output_list, len(kept), *kept)
    return bytes(data)


def _needed(data: bytearray, operators: list[int], tensors: Sequence[int]) -> list[int]:
    """Positions of the operators that the tensors depend on, in order."""
    makers = {
        tensor: position
        for position, operator in enumerate(operators)
        for tensor in _integers(data, _field(data, operator, _OPERATOR_OUTPUTS))
    }
    wanted, found = list(tensors), set[int]()
    while wanted:
        position = makers.get(wanted.pop())
        if position is not None and position not in found:
            found.add(position)
            wanted += _integers(data, _field(data, operators[position], _OPERATOR_INPUTS))
    return sorted(found)


def _shorten(data: bytearray, vector: int, kept: Sequence[int]) -> None:
    """Leaves only some entries of a vector of tables; an entry counts from its own place, so moving it changes it."""
    targets = [entry + _offset_at(data, entry) for entry in (vector + 4 + 4 * position for position in kept)]
    struct.pack_into("<I", data, vector, len(targets))
    for position, target in enumerate(targets):
        entry = vector + 4 + 4 * position
        struct.pack_into("<I", data, entry, target - entry)


def _offset_at(data: bytearray, place: int) -> int:
    value: int = struct.unpack_from("<I", data, place)[0]
    return value


def _offset(data: bytearray, place: int) -> int:
    """Follows the reference that is stored at `place`."""
    return place + _offset_at(data, place)


def _field(data: bytearray, table: int, number: int) -> int:
    """Place of a vector that is a field of a table."""
    vtable = table - struct.unpack_from("<i", data, table)[0]
    (size,) = struct.unpack_from("<H", data, vtable)
    slot = 4 + 2 * number
    (within,) = struct.unpack_from("<H", data, vtable + slot) if slot < size else (0,)
    if within == 0:
        raise ModelFileError("a model file lacks a part of its graph: fetch it again (`mmrole models fetch`)")
    return _offset(data, table + within)


def _tables(data: bytearray, vector: int) -> Iterator[int]:
    for position in range(_offset_at(data, vector)):
        yield _offset(data, vector + 4 + 4 * position)


def _integers(data: bytearray, vector: int) -> list[int]:
    return np.frombuffer(data, "<i4", _offset_at(data, vector), vector + 4).tolist()  # type: ignore[no-any-return]
