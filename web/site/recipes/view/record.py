import numpy as np
import torch.nn.functional as F

def record(run):
    """Returns the queries and keys [layers, heads, n, d_k] of the first text that `run` reads."""
    kept, attend = {"query": [], "key": []}, F.scaled_dot_product_attention
    def keep(query, key, *rest, **settings):
        for name, heads in (("query", query), ("key", key)):
            heads = heads.repeat_interleave(query.shape[1] // heads.shape[1], dim=1)  # grouped keys
            kept[name].append(heads[0].detach().float().cpu().numpy())
        return attend(query, key, *rest, **settings)
    F.scaled_dot_product_attention = keep
    try:
        run()
    finally:
        F.scaled_dot_product_attention = attend
    return {name: np.stack(layers) for name, layers in kept.items()}
