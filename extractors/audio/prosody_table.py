"""Prosody as columns: prosody/CLIP.parquet, one row per frame of the 10 ms grid."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np
from numpy.typing import NDArray

from extractors.audio.prosody import Prosody
from mmrole.core.tables import column

if TYPE_CHECKING:
    import pyarrow as pa

DEFINITION: Final = "prosody/v1"
"""Changes whenever a column comes to mean something else."""

_COLUMNS: Final = {
    "time_s": ("s", "time around which the frame is measured, from the clip's start"),
    "f0_hz": ("Hz", "fundamental frequency; null where unvoiced or not measured"),
    "volume_db": (
        "dB",
        "level, RMS in decibels below full scale (dBFS); null in digital silence or where not measured",
    ),
    "speech": ("1", "whether somebody speaks; null where not measured"),
    "rate_syll_s": ("syllables/s", "local speaking rate; null outside speech"),
}


def prosody_table(prosody: Prosody) -> pa.Table:
    """The columns of prosody/CLIP.parquet; units and meanings are in the schema's metadata."""
    import pyarrow as pa

    def floats(values: NDArray[Any]) -> pa.Array[Any]:
        return column(values.astype(np.float32), np.isfinite(values) & prosody.measured)

    columns: dict[str, pa.Array[Any]] = {
        "time_s": column(prosody.time_s),
        "f0_hz": floats(prosody.f0_hz),
        "volume_db": floats(prosody.volume_db),
        "speech": column(prosody.speech, prosody.measured),
        "rate_syll_s": floats(prosody.local_rate_syll_s),
    }
    fields = [
        pa.field(name, columns[name].type, nullable=name != "time_s", metadata={"unit": unit, "meaning": meaning})
        for name, (unit, meaning) in _COLUMNS.items()
    ]
    schema = pa.schema(fields, metadata={"definition": DEFINITION, "content": "prosody on a 10 ms grid"})
    return pa.Table.from_arrays([columns[field.name] for field in schema], schema=schema)
