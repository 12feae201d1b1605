import math

import torch

torch.manual_seed(0)
for d in (32, 128, 512):
    query, keys = torch.randn(1, d), torch.randn(8, d)
    for scale in (1, 1 / math.sqrt(d)):
        weights = torch.softmax(query @ keys.T * scale, dim=-1)
        print(d, f"{scale:.3f} {weights.min():.1e} {weights.max():.4f}")
