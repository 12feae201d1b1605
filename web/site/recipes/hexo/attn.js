/* global hexo */
hexo.extend.tag.register('attn', ([name, ...attributes]) => {
  const quoted = attributes.map((attribute) => attribute.replace(/=(.*)/, '="$1"'));
  const lang = attributes.find((each) => each.startsWith('lang='))?.slice(5) ?? 'en';
  const picture = `https://example.org/pictures/${name}-${lang}-light.svg`;
  return `<link rel="stylesheet" href="https://example.org/figures.min.css">
<script type="module" src="https://example.org/figures/${name}.min.js"></script>
<attn-${name} ${quoted.join(' ')}><img src="${picture}" alt="${name}"></attn-${name}>`;
});
