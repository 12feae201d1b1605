// Keeps one of the two articles in attention-lab.html, the one that the script in its head has chosen
// (choose-article.js). Without script both stay, one after the other.

export function keepChosenArticle() {
  const { lang } = document.documentElement;
  for (const part of document.body.querySelectorAll(':scope > [lang]')) {
    if (part.getAttribute('lang') !== lang) part.remove();
  }
  document.title = document.querySelector('main')?.dataset.title ?? document.title;
}
