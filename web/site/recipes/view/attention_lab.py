"""Records the queries and keys of PyTorch models, for attn-view and `npx attention-lab diagnose`."""

import html
import json
import sys
import warnings
from contextlib import contextmanager

import numpy as np
import torch
import torch.nn.functional as F

__version__ = "0.1.0"
_layers = None  # while a model is being recorded


def keep(query, key, scale=None, mask=None, causal=False):
    """The line for attention by hand, before its softmax: keeps what it multiplies, if recording.

    query and key are [batch, heads, n, d_k], or of one head [batch, n, d_k] or [n, d_k]."""
    if _layers is None:
        return
    if query.dim() < 4:
        query, key = query.unsqueeze(-3), key.unsqueeze(-3)
        mask = mask if mask is None or mask.dim() < 3 else mask.unsqueeze(-3)
    query, key = _first(query), _first(key)
    if mask is not None:
        mask = _first(mask)
        mask = mask.expand(*torch.broadcast_shapes(mask.shape, (1, 1, 1)))
        mask = mask.expand(mask.shape[0], query.shape[1], key.shape[1]).cpu()
        mask = (mask if mask.dtype == torch.bool else mask.float()).numpy()
    arrays = [x.float().cpu().numpy() for x in (query, key)]
    scale = query.shape[-1] ** -0.5 if scale is None else float(scale)
    _layers.append({"query": arrays[0], "key": arrays[1], "scale": scale, "mask": mask, "causal": bool(causal)})


def _first(x):
    """The first text of a batch, [heads, n, d_k]."""
    x = x.detach()
    while x.dim() > 3:
        x = x[0]
    return x


def record(run, tokens=None, layers=None):
    """Returns what the layers of attention that `run()` calls multiply, of the first text: arrays for numpy.savez.

    `layers` (a slice) chooses among them where their shapes differ, as of an encoder and a decoder."""
    global _layers
    if _layers is not None:
        raise RuntimeError("record is running already")
    _layers = []
    try:
        with _patched():
            run()
        kept = _layers
    finally:
        _layers = None
    if not kept:
        raise RuntimeError("no attention was seen: call attention_lab.keep(query, key, scale=…) where it is computed by hand, "
                           "and record models that are not compiled")
    kept = kept[layers or slice(None)]
    shapes = [(each["query"].shape, each["key"].shape) for each in kept]
    if len(set(shapes)) > 1:
        raise ValueError(f"layers have different shapes, choose some by layers=slice(…): {shapes}")
    arrays = {name: np.stack([each[name] for each in kept]) for name in ("query", "key")}
    scales = np.float32([each["scale"] for each in kept])
    arrays["scale"] = scales[:1] if (scales == scales[0]).all() else scales
    causal = [each["causal"] for each in kept]
    if all(causal):
        arrays["causal"] = np.array(True)
    masks = [_mask(each, any(causal) and not all(causal)) for each in kept]
    if any(mask is not None for mask in masks):
        full = arrays["query"].shape[1:3] + arrays["key"].shape[2:3]
        isAdded = any(mask is not None and mask.dtype != bool for mask in masks)
        masks = [np.ones((1, *full[1:]), bool) if mask is None else mask for mask in masks]
        if isAdded:
            masks = [np.where(mask, 0, -np.inf).astype(np.float32) if mask.dtype == bool else mask for mask in masks]
        heads = max(mask.shape[0] for mask in masks)
        arrays["mask"] = np.stack([np.broadcast_to(mask, (heads, *full[1:])) for mask in masks])
    if tokens is not None:
        arrays["tokens"] = np.array(list(tokens))
    return arrays


def _mask(layer, joins):
    """The mask of a layer; with that of causality where layers differ in it."""
    mask = layer["mask"]
    if not (joins and layer["causal"]):
        return mask
    lower = np.tril(np.ones((1, layer["query"].shape[1], layer["key"].shape[1]), bool))
    if mask is None:
        return lower
    return mask & lower if mask.dtype == bool else np.where(lower, mask, -np.inf).astype(np.float32)


def show(arrays, script="https://cdn.jsdelivr.net/npm/attention-lab/figures.min.js", height=900):
    """Shows the arrays of `record` in a notebook."""
    data = {name: array.tolist() for name, array in arrays.items()}
    text = json.dumps(json.dumps(data)).replace("</", "<\\/")
    page = (f'<script type="module" src="{html.escape(script)}"></script><attn-view></attn-view><script type="module">'
            f'document.querySelector("attn-view").src = URL.createObjectURL(new Blob([{text}]))</script>')

    class Shown:
        def _repr_html_(self):
            return f'<iframe srcdoc="{html.escape(page)}" width="100%" height="{height}" style="border:0"></iframe>'

    return Shown()


def _warn_of(dropout):
    if dropout:
        warnings.warn("dropout is on while attention is recorded: was model.eval() meant?", stacklevel=3)


@contextmanager
def _patched():
    """Puts functions that record in the place of those of PyTorch and Transformers, wherever these were imported to."""
    attend, layer = F.scaled_dot_product_attention, torch.nn.MultiheadAttention.forward

    def attend_kept(query, key, value, attn_mask=None, dropout_p=0.0, is_causal=False, scale=None, **rest):
        _warn_of(dropout_p)
        keep(query, key, scale, attn_mask, is_causal)
        return attend(query, key, value, attn_mask, dropout_p, is_causal, scale=scale, **rest)

    def layer_kept(self, query, key, value, key_padding_mask=None, need_weights=True, attn_mask=None,
                   average_attn_weights=True, is_causal=False):
        given = (self, query, key, value, key_padding_mask)
        if need_weights:  # which takes another way than F.scaled_dot_product_attention
            devices = [query.device] if query.is_cuda else []
            with torch.no_grad(), torch.random.fork_rng(devices):  # so that dropout stays as without recording
                layer(*given, False, attn_mask, True, is_causal)
        return layer(*given, need_weights, attn_mask, average_attn_weights, is_causal)

    def eager_kept(eager):
        def eager_attend(module, query, key, value, attention_mask=None, scaling=None, *more, **rest):
            _warn_of(rest.get("dropout"))
            if rest.get("softcap") is not None or rest.get("s_aux") is not None:
                warnings.warn("soft caps and sinks are not recorded: the model's own weights differ", stacklevel=2)
            mask, bias = attention_mask, rest.get("position_bias")
            mask = None if mask is None else mask[..., : key.shape[-2]]
            if bias is not None:
                mask = bias if mask is None else mask + bias
            keep(query, key, scaling, mask)
            extra = {} if scaling is None else {"scaling": scaling}
            return eager(module, query, key, value, attention_mask, *more, **extra, **rest)

        return eager_attend

    places = []
    for module in list(sys.modules.values()):
        for name, value in list(getattr(module, "__dict__", {}).items()):
            if value is attend and module is not sys.modules[__name__]:
                places.append((module, name, value, attend_kept))
            elif name == "eager_attention_forward" and callable(value):
                places.append((module, name, value, eager_kept(value)))
    fast = torch.backends.mha.get_fastpath_enabled()
    try:
        for module, name, _, kept in places:
            setattr(module, name, kept)
        torch.nn.MultiheadAttention.forward = layer_kept
        torch.backends.mha.set_fastpath_enabled(False)  # encoders in eval would go another way
        yield
    finally:
        for module, name, value, _ in places:
            setattr(module, name, value)
        torch.nn.MultiheadAttention.forward = layer
        torch.backends.mha.set_fastpath_enabled(fast)
