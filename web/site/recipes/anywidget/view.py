import anywidget
import traitlets


class View(anywidget.AnyWidget):
    _esm = "https://example.org/figures.min.js"
    figure = traitlets.Unicode("view").tag(sync=True)
    file = traitlets.Bytes().tag(sync=True)
    lang = traitlets.Unicode("en").tag(sync=True)


View(file=open("attention.npz", "rb").read())
