import numpy as np
import torch
from record import record

inputs = tokenizer("The old man and the sea", return_tensors="pt")
with torch.no_grad():
    arrays = record(lambda: model(**inputs))
tokens = tokenizer.convert_ids_to_tokens(inputs["input_ids"][0].tolist())
np.savez_compressed("attention.npz", tokens=tokens, **arrays)
