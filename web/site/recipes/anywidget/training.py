import io
import numpy as np
from record import record  # of the page "Your own"

view = View()  # the class above
display(view)
for step, batch in enumerate(batches):
    if step % 100 == 0:
        file = io.BytesIO()
        np.savez_compressed(file, **record(lambda: model(text)))
        view.send({"step": step}, [file.getvalue()])
    train(batch)
