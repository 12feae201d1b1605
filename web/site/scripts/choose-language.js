// The site's front door: sends a reader to the article in the first language of their browser. The links, which
// stay without script, say which tags ask for each language; to import the list would load a file of figures.
/** @type {NodeListOf<HTMLAnchorElement>} */
const links = document.querySelectorAll('a[data-tags]');
const wanted = navigator.languages
  .map((asked) => [...links].find(({ dataset }) => new RegExp(dataset.tags ?? '', 'i').test(asked)))
  .find(Boolean);
location.replace((wanted ?? links[0]).href + location.search + location.hash);
