import io
import anywidget
import numpy as np
import torch
import traitlets
from attention_lab import record  # of the page "Your own"


class Training(anywidget.AnyWidget):
    _esm = "https://example.org/figures.min.js"
    figure = traitlets.Unicode("view").tag(sync=True)

    def __init__(self, **traits):
        super().__init__(**traits)
        self.files = {}
        self.on_msg(self.show_again)

    def show(self, step, arrays):
        file = io.BytesIO()
        np.savez_compressed(file, **arrays)
        self.files[step] = file.getvalue()
        self.send({"step": step}, [self.files[step]])

    def show_again(self, *message):
        """Sends all steps to a figure that asks: it was shown late, or its page was loaded anew."""
        for step, file in list(self.files.items()):
            self.send({"step": step, "again": True}, [file])


view = Training()
display(view)  # in marimo a cell before the loop, whose last line is `view`
for step, batch in enumerate(batches):
    if step % 100 == 0:
        model.eval()
        with torch.no_grad():
            view.show(step, record(lambda: model(text)))
        model.train()
    train(batch)
