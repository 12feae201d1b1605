"""Writes small files of attention as NumPy and PyTorch write them, and what they hold, for tests/js/files.

  python3 make_view.py        (Debian: python3-numpy 1.24, python3-torch 1.13)

.npy and .npz are NumPy's own; the numbers, also as float16 and bfloat16, are PyTorch's. There is no
package `safetensors` in Debian, so these files are put together here from its specification
(https://github.com/huggingface/safetensors#format); their bodies are PyTorch's bytes.
"""

import json
import pathlib
import struct

import numpy as np
import torch

HERE = pathlib.Path(__file__).parent
LAYERS, HEADS, N, D = 2, 4, 5, 8
TOKENS = ["The", "sea", "—", "海", "🌊"]

torch.manual_seed(7)
query = torch.randn(LAYERS, HEADS, N, D)
key = torch.randn(LAYERS, HEADS // 2, N, D)  # grouped heads: two queries' heads share one
scores = query @ key.repeat_interleave(2, dim=1).transpose(-1, -2) / D**0.5
weights = torch.softmax(scores, dim=-1)
array = weights.numpy()


def write_safetensors(name, tensors, metadata=None):
    """Header of 8 bytes, JSON, bodies. @param tensors: name -> (dtype, tensor)"""
    header, body = {}, b""
    if metadata:
        header["__metadata__"] = metadata
    for key_name, (dtype, tensor) in tensors.items():
        tensor = tensor.contiguous()
        raw = tensor.view(torch.int16) if tensor.dtype == torch.bfloat16 else tensor
        data = raw.numpy().tobytes()
        offsets = [len(body), len(body) + len(data)]
        header[key_name] = {"dtype": dtype, "shape": list(tensor.shape), "data_offsets": offsets}
        body += data
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    (HERE / name).write_bytes(struct.pack("<Q", len(text)) + text + body)


np.save(HERE / "float32.npy", array)
np.save(HERE / "float16.npy", weights.half().numpy())
np.save(HERE / "float64.npy", weights.double().numpy())
np.save(HERE / "big-endian.npy", array.astype(">f4"))
np.save(HERE / "fortran.npy", np.asfortranarray(array))
np.save(HERE / "one-head.npy", array[0, 0])
np.save(HERE / "mask.npy", torch.ones(N, N).tril().bool().numpy())
np.save(HERE / "int64.npy", torch.ones(N, N).tril().long().numpy())
for version in (2, 3):
    with open(HERE / f"version-{version}.npy", "wb") as file:
        np.lib.format.write_array(file, array, version=(version, 0))
np.savez(HERE / "stored.npz", weights=array, tokens=TOKENS, other=np.zeros(3))
np.savez_compressed(HERE / "deflated.npz", weights=array, tokens=TOKENS, other=np.zeros(3))
np.savez_compressed(HERE / "pair.npz", query=query.numpy(), key=key.numpy(), scale=0.25)
np.savez(HERE / "single.npz", array[0])
np.savez(HERE / "nameless.npz", array[0], array[1])
np.savez(
    HERE / "layers-of-pairs.npz",
    **{f"layer_{i}_query": x for i, x in enumerate(query.numpy())},
    **{f"layer_{i}_key": x for i, x in enumerate(key.numpy())},
    tokens=np.array([token.encode() for token in TOKENS]),
)
np.savez(HERE / "ids.npz", weights=array, tokens=np.array([[101, 7592, 102, 0, 0]]))
np.save(HERE / "objects.npy", np.array([{"pickled": True}], dtype=object), allow_pickle=True)

write_safetensors("float32.safetensors", {"weights": ("F32", weights)}, {"tokens": json.dumps(TOKENS)})
write_safetensors("float16.safetensors", {"layer": ("F16", weights.half())})
write_safetensors("bfloat16.safetensors", {"layer": ("BF16", weights.bfloat16())})
write_safetensors("float64.safetensors", {"layer": ("F64", weights.double())})
write_safetensors(
    "pair.safetensors",
    {"other": ("I64", torch.arange(3)), "query": ("F32", query), "key": ("F32", key)},
)

nested = [layer.unsqueeze(0).tolist() for layer in weights]  # as output_attentions: a batch of one each
(HERE / "nested.json").write_text(json.dumps(nested))
flat = {"data": weights.flatten().tolist(), "shape": list(weights.shape)}
(HERE / "flat.json").write_text(json.dumps(flat))
(HERE / "python.json").write_text(json.dumps({"attention": [[1.0, float("nan")]], "model": "bert"}))
(HERE / "pair.json").write_text(
    json.dumps({"query": query.tolist(), "key": key.tolist(), "tokens": TOKENS, "scale": 0.25})
)

expected = {
    "shape": list(weights.shape),
    "weights": weights.flatten().tolist(),
    "float16": weights.half().float().flatten().tolist(),
    "bfloat16": weights.bfloat16().float().flatten().tolist(),
    "query": query.flatten().tolist(),
    "key": key.flatten().tolist(),
    "tokens": TOKENS,
}
(HERE / "expected.json").write_text(json.dumps(expected))
