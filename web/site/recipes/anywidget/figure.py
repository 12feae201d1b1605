import anywidget
import traitlets


class Saturation(anywidget.AnyWidget):
    _esm = "https://example.org/figures.min.js"
    figure = traitlets.Unicode("saturation").tag(sync=True)
    d_k = traitlets.Int(64).tag(sync=True)
    keys_ = traitlets.Int(64).tag(sync=True)
    lang = traitlets.Unicode("en").tag(sync=True)

    def _repr_mimebundle_(self, **options):
        data, metadata = super()._repr_mimebundle_(**options)
        address = "https://example.org/pictures/saturation-en-light.svg"
        picture = f'<img src="{address}" alt="Softmax saturation against d_k">'
        return {**data, "text/html": picture}, metadata


saturation = Saturation(d_k=128)
saturation.observe(lambda change: print(change.new), "d_k")
saturation
