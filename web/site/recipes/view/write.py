import numpy as np
import torch
from record import record

inputs = tokenizer("The old man and the sea", return_tensors="pt")
with torch.no_grad():
    arrays = record(lambda: model(**inputs))
np.savez_compressed("attention.npz", tokens=tokenizer.tokenize("The old man and the sea"), **arrays)
