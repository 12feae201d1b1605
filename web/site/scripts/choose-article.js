// In the head of attention-lab.html, before anything is drawn: the language that the address asks for
// (?lang=zh), else the one that the reader's browser asks for first.
{
  const chosen = new URLSearchParams(location.search).get('lang');
  const wanted =
    [chosen ?? '', ...navigator.languages].find((tag) => /^(en|zh)\b/i.test(tag)) ?? 'en';
  const root = document.documentElement;
  root.lang = /^zh/i.test(wanted) ? 'zh-Hans' : 'en';
  root.dataset.only = root.lang;
}
