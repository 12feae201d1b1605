/**
 * Chooses a language in the head of attention-lab.html, before the first drawing: that of the address (?lang=zh),
 * else the first one of the reader's browser. The page contains this function as text, so that it may use nothing
 * but its argument.
 * @param {readonly { tag: string, source: string }[]} languages  source: of the pattern of their tags
 */
export function chooseArticle(languages) {
  const chosen = new URLSearchParams(location.search).get('lang');
  const wanted = [chosen ?? '', ...navigator.languages]
    .map((asked) => languages.find(({ source }) => new RegExp(source, 'i').test(asked)))
    .find(Boolean);
  const root = document.documentElement;
  root.lang = (wanted ?? languages[0]).tag;
  root.dataset.only = root.lang;
}
