await import('https://example.org/figures.min.js');
display(
  html`<div style="min-height: 58rem">
    <attn-saturation d-k="9" lang="en"></attn-saturation>
  </div>`,
);
