"""Array types by shape, for signatures."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Floats1d: TypeAlias = NDArray[np.float32]
"""float32 [n]"""
Floats2d: TypeAlias = NDArray[np.float32]
"""float32 [rows, columns]"""
Doubles: TypeAlias = NDArray[np.float64]
"""float64 of any shape"""
Doubles1d: TypeAlias = NDArray[np.float64]
"""float64 [n]"""
Doubles2d: TypeAlias = NDArray[np.float64]
"""float64 [rows, columns]"""
Ints1d: TypeAlias = NDArray[np.int64]
"""int64 [n]"""
Bools1d: TypeAlias = NDArray[np.bool_]
"""bool [n]"""
