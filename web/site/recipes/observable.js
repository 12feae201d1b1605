display(
  html`<div>
    <link rel="stylesheet" href="https://example.org/figures.min.css" />
    <attn-saturation d-k="9" lang="en">
      <img
        src="https://example.org/pictures/saturation-en-light.svg"
        alt="Softmax saturation against d_k"
      />
    </attn-saturation>
  </div>`,
);
await import('https://example.org/figures.min.js');
