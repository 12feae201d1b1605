await import('https://example.org/figures.min.js');
display(html`<attn-saturation d-k="9" lang="en"></attn-saturation>`);
