import anywidget
import traitlets


class Saturation(anywidget.AnyWidget):
    _esm = "https://example.org/figures.min.js"
    figure = traitlets.Unicode("saturation").tag(sync=True)
    d_k = traitlets.Int(64).tag(sync=True)
    keys_ = traitlets.Int(64).tag(sync=True)
    lang = traitlets.Unicode("en").tag(sync=True)


saturation = Saturation(d_k=128)
saturation.observe(lambda change: print(change.new), "d_k")
saturation
