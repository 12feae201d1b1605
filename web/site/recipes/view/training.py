import numpy as np
import torch
from attention_lab import record

for step, batch in enumerate(batches):
    loss = model(batch)
    if step % 100 == 0:
        model.eval()
        with torch.no_grad():
            np.savez_compressed(f"attention-{step}.npz", loss=loss.item(), **record(lambda: model(text)))
        model.train()
    loss.backward()
    optimizer.step()
    optimizer.zero_grad()
