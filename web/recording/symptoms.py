"""Trains five small models, each with one fault, and writes what their heads multiply, a file a symptom.

symptoms.js calls it with the folder for the files, and reads the losses that it prints as JSON. The task is to look
something up: eight letters come with a digit each, then four of the letters are asked for. Whoever guesses has a loss
of ln 10 = 2.30. One layer of two heads with d_k = 64, AdamW, batches of 32; the recorder is the one of the recipes.
"""

import json
import math
import sys
from pathlib import Path

import numpy as np
import torch
import torch.nn.functional as F
from minilm import write_safetensors

sys.path.append(str(Path(__file__).parent.parent / "site/recipes/view"))
import attention_lab  # noqa: E402

LETTERS, DIGITS, D_MODEL, HEADS = 26, 10, 128, 2
D_K = D_MODEL // HEADS
ABSENT = DIGITS  # the answer where a letter is asked for that has not come
NONE = DIGITS + 1  # the digit of tokens without one
START = LETTERS


class Model(torch.nn.Module):
    def __init__(self, scale, deviation):
        super().__init__()
        self.letter = torch.nn.Embedding(LETTERS + 1, D_MODEL)
        self.digit = torch.nn.Embedding(DIGITS + 2, D_MODEL)
        self.before, self.after = torch.nn.LayerNorm(D_MODEL), torch.nn.LayerNorm(D_MODEL)
        self.q, self.k, self.v, self.o = (torch.nn.Linear(D_MODEL, D_MODEL, bias=False) for _ in range(4))
        for linear in (self.q, self.k):
            torch.nn.init.normal_(linear.weight, std=deviation)
        self.out = torch.nn.Linear(D_MODEL, DIGITS + 1)
        self.scale = scale

    def forward(self, letters, digits, mask):
        x = self.letter(letters) + self.digit(digits)
        batch, n, _ = x.shape
        h = self.before(x)
        query, key, value = (f(h).reshape(batch, n, HEADS, D_K).transpose(1, 2) for f in (self.q, self.k, self.v))
        attention_lab.keep(query, key, scale=self.scale, mask=mask)
        scores = (query @ key.transpose(-1, -2) * self.scale).masked_fill(~mask, -math.inf)
        self.weights = scores.softmax(-1)
        context = (self.weights @ value).transpose(1, 2).reshape(batch, n, D_MODEL)
        return self.out(self.after(x + self.o(context)))


def sample(generator, size, items, asked, absent):
    """Returns letters, digits and answers: of the asked letters about a share `absent` has not come."""
    order = torch.stack([torch.randperm(LETTERS, generator=generator) for _ in range(size)])
    digits = torch.randint(DIGITS, (size, items), generator=generator)
    at = torch.randint(items, (size, asked), generator=generator)
    isAbsent = torch.rand((size, asked), generator=generator) < absent
    letters = torch.where(isAbsent, order[:, items : items + asked], order.gather(1, at))
    answers = torch.where(isAbsent, ABSENT, digits.gather(1, at))
    start, none = torch.full((size, 1), START), torch.full((size, asked + 1), NONE)
    return (torch.cat([start, order[:, :items], letters], 1),
            torch.cat([none[:, :1], digits, none[:, 1:]], 1), answers)


def names_of(letters, digits):
    """Returns tokens as a reader sees them: `b3` came with its digit, `b?` is asked for."""
    write = lambda letter, digit: chr(ord("a") + letter) + (str(digit) if digit < DIGITS else "?")
    return ["[start]" if letter == START else write(letter, digit) for letter, digit in zip(letters, digits)]


def train(scale=D_K**-0.5, rate=0.01, deviation=D_MODEL**-0.5, steps=300, every=50, items=8, asked=4, absent=0.0,
          hidesStart=False):
    """Returns the losses on the way, and what the heads multiply at the end."""
    torch.manual_seed(1)
    generator = torch.Generator().manual_seed(1)
    model = Model(scale, deviation)
    optimiser = torch.optim.AdamW(model.parameters(), lr=rate)
    n = 1 + items + asked
    mask = torch.ones(n, n, dtype=torch.bool).tril()
    if hidesStart:
        mask[:, 0] = False
    losses = []
    for step in range(steps + 1):
        letters, digits, answers = sample(generator, 32, items, asked, absent)
        if step == steps:
            tokens = names_of(letters[0].tolist(), digits[0].tolist())
            arrays = attention_lab.record(lambda: model(letters[:1], digits[:1], mask), tokens)
        loss = F.cross_entropy(model(letters, digits, mask)[:, -asked:].flatten(0, 1), answers.flatten())
        if step % every == 0:
            losses.append([step, round(loss.item(), 2) if loss.isfinite() else None])
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
    if hidesStart:  # training has gone on for a step: show the weights of that with which it began
        arrays = {"weights": model.weights[0].detach().numpy(), "tokens": arrays["tokens"]}
    return losses, arrays


HEALTHY = "healthy"  # the losses of a run without a fault, to compare
RUNS = {
    HEALTHY: {},
    "stall": {"scale": 1.0},
    "explode": {"rate": 0.1, "every": 2, "steps": 10},
    "nan": {"hidesStart": True, "every": 1, "steps": 1},
    "alike": {"scale": 1 / D_K, "deviation": 0.02, "rate": 0.0003, "every": 10, "steps": 50},
    "first": {"rate": 0.001, "items": 4, "asked": 8, "absent": 0.75},
}


def main(out):
    losses = {}
    for name, options in RUNS.items():
        losses[name], arrays = train(**options)
        if name == HEALTHY:
            continue
        metadata = {"tokens": json.dumps(list(map(str, arrays["tokens"])))}
        if "scale" in arrays:
            metadata |= {"scale": json.dumps(float(arrays["scale"][0])), "causal": "true"}
        tensors = {each: arrays[each] for each in ("query", "key", "weights") if each in arrays}
        write_safetensors(Path(out) / f"{name}.safetensors", tensors, metadata)
    print(json.dumps(losses))


if __name__ == "__main__":
    torch.set_num_threads(1)
    main(sys.argv[1])
