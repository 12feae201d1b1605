// Chooses a language in the head of attention-lab.html, before the first drawing: that of the address
// (?lang=zh), else the first one of the reader's browser.
{
  const chosen = new URLSearchParams(location.search).get('lang');
  const tags = [chosen ?? '', ...navigator.languages];
  const wanted = tags.find((tag) => /^(en|zh|cmn)(?![a-z\d])/i.test(tag)) ?? 'en';
  const root = document.documentElement;
  root.lang = /^en/i.test(wanted) ? 'en' : 'zh-Hans';
  root.dataset.only = root.lang;
}
