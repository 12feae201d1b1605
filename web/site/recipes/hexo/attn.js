/* global hexo */
hexo.extend.tag.register('attn', ([name, ...attributes]) => {
  const quoted = attributes.map((attribute) => attribute.replace(/=(.*)/, '="$1"'));
  return `<script type="module" src="https://example.org/figures/${name}.min.js"></script>
<div style="min-height: 58rem"><attn-${name} ${quoted.join(' ')}></attn-${name}></div>`;
});
