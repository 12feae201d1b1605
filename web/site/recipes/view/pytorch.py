import numpy as np
import torch

# Of a model of Hugging Face, loaded with attn_implementation="eager":
# attentions = model(**inputs, output_attentions=True).attentions
tokens = ["The", "old", "man", "and", "the", "sea"]
x = torch.randn(1, len(tokens), 64)
layers = [torch.nn.MultiheadAttention(64, 4, batch_first=True) for _ in range(2)]
attentions = [layer(x, x, x, average_attn_weights=False)[1] for layer in layers]

weights = torch.cat(attentions).detach().float().numpy()  # [layers, heads, n, n]
np.savez_compressed("attention.npz", weights=weights, tokens=tokens)
