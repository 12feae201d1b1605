"""Writes courses of training as NumPy and safetensors write them, and what they hold, for tests/js/files.

  python3 make_course.py        (numpy 2.4, safetensors 0.8)
"""

import json
import pathlib

import numpy as np
from safetensors.numpy import save_file

HERE = pathlib.Path(__file__).parent
STEPS, LAYERS, HEADS, N, D = [0, 50, 800], 2, 2, 3, 4
TOKENS = ["a", "b", "c"]

random = np.random.default_rng(7)
query = random.standard_normal((len(STEPS), LAYERS, HEADS, N, D), dtype=np.float32)
key = random.standard_normal((len(STEPS), LAYERS, 1, N, D), dtype=np.float32)

common = {"tokens": TOKENS, "scale": 0.25}
np.savez(HERE / "course-axis.npz", steps=STEPS, query=query, key=key, **common)
np.savez_compressed(
    HERE / "course-names.npz",
    **{f"step_{step}/query": query[i] for i, step in enumerate(STEPS)},
    **{f"step_{step}/key": key[i] for i, step in enumerate(STEPS)},
    **common,
)
save_file({"steps": np.array(STEPS), "query": query, "key": key}, HERE / "course-axis.safetensors")

rows = [array.reshape(len(STEPS), -1).tolist() for array in (query, key)]
(HERE / "course.json").write_text(json.dumps({"steps": STEPS, "query": rows[0], "key": rows[1]}))
