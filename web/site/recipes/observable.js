await import('https://example.org/figures.min.js');
display(html`<div><attn-saturation d-k="9" lang="en"></attn-saturation></div>`);
