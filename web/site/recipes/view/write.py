import numpy as np
import torch
from attention_lab import record

inputs = tokenizer("The old man and the sea", return_tensors="pt")
with torch.no_grad():
    tokens = tokenizer.convert_ids_to_tokens(inputs["input_ids"][0].tolist())
    arrays = record(lambda: model(**inputs), tokens)
np.savez_compressed("attention.npz", **arrays)
