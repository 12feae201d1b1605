// Chooses a language in the head of attention-lab.html, before the first drawing: that of the address
// (?lang=zh), else the first one of the reader's browser.
{
  const chosen = new URLSearchParams(location.search).get('lang');
  const wanted =
    [chosen ?? '', ...navigator.languages].find((tag) => /^(en|zh)\b/i.test(tag)) ?? 'en';
  const root = document.documentElement;
  root.lang = /^zh/i.test(wanted) ? 'zh-Hans' : 'en';
  root.dataset.only = root.lang;
}
