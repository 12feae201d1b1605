# Trains the models of web/experiments/roles.js in PyTorch, float64, from the same start and on the same batches.
#   node tests/golden/roles-start.js > build/roles-start.json
#   python3 tests/golden/make_roles.py build/roles-start.json > tests/golden/roles.json
import json
import math
import sys

import torch
import torch.nn.functional as F

torch.set_default_dtype(torch.float64)
torch.set_num_threads(1)
start = json.load(open(sys.argv[1]))
setting = start["setting"]
WARM_UP = math.ceil(0.05 * setting["steps"])


def logits_and_weights(p, tokens, factor):
    """One pre-norm block with one head, as in LANGUAGE.md's model; weights are those of every place."""
    n = tokens.shape[1]
    norm = lambda x, name: F.layer_norm(x, x.shape[-1:], p[name + ".weight"], p[name + ".bias"], 1e-5)
    x = p["token"][tokens] + p["position"][:n]
    y = norm(x, "layers.0.norm1")
    q, k, v = (y @ p[f"layers.0.{name}Weight"].T for name in ("query", "key", "value"))
    seen = torch.ones(n, n, dtype=torch.bool).tril()
    weights = (factor * q @ k.transpose(-1, -2)).masked_fill(~seen, -math.inf).softmax(-1)
    x = x + weights @ v @ p["layers.0.outputWeight"].T
    y = norm(x, "layers.0.norm2") @ p["layers.0.upWeight"].T + p["layers.0.upBias"]
    x = x + F.gelu(y, approximate="tanh") @ p["layers.0.downWeight"].T + p["layers.0.downBias"]
    return norm(x, "norm") @ p["token"].T, weights


def rate_of(done):
    """Returns the rate of a step: a cosine down to 0, times a rise to 1 in the first steps."""
    fall = (1 + math.cos(math.pi * done / setting["steps"])) / 2
    return setting["learningRate"] * min(1, (done + 1) / WARM_UP) * fall


def train(factor):
    p = {name: torch.tensor(x, dtype=torch.float64, requires_grad=True) for name, x in start["parameters"].items()}
    optimizer = torch.optim.AdamW(p.values(), lr=1, betas=(0.9, 0.99), eps=1e-8, weight_decay=0.01)
    losses, norms = [], []
    for done, batch in enumerate(start["batches"]):
        for group in optimizer.param_groups:
            group["lr"] = rate_of(done)
        logits, _ = logits_and_weights(p, torch.tensor(batch["tokens"]), factor)
        targets = torch.tensor(batch["targets"])
        loss = F.cross_entropy(logits.flatten(0, 1), targets.flatten(), ignore_index=-1)
        optimizer.zero_grad()
        loss.backward()
        norms.append(torch.nn.utils.clip_grad_norm_(p.values(), 1).item())
        losses.append(loss.item())
        optimizer.step()
    with torch.no_grad():
        logits, weights = logits_and_weights(p, torch.tensor(start["test"]["tokens"]), factor)
        sentences = start["test"]["sentences"]
        rows = [weights[i, s["at"]] for i, s in enumerate(sentences)]
        mean = lambda values: sum(values) / len(values)
        return {
            "losses": losses,
            "gradientNorms": norms,
            "nounWeight": mean([row[s["noun"]].item() for row, s in zip(rows, sentences)]),
            "largestWeight": mean([row.max().item() for row in rows]),
            "jacobianTrace": mean([1 - (row * row).sum().item() for row in rows]),
            "right": mean([float(logits[i, s["at"]].argmax() == s["answer"]) for i, s in enumerate(sentences)]),
            "firstWeights": rows[0][: sentences[0]["at"] + 1].tolist(),
        }


trained = {scale["name"]: train(scale["factor"]) for scale in start["scales"]}
json.dump({"torch": torch.__version__, "setting": setting, "trained": trained}, sys.stdout, indent=1)
print()
