// Of attention-lab.html, which holds both articles: keeps the one that the script in its head has
// chosen (choose-article.js). Without script both are there, one after the other.

export function keepChosenArticle() {
  const { lang } = document.documentElement;
  for (const part of document.body.querySelectorAll(':scope > [lang]')) {
    if (part.getAttribute('lang') !== lang) part.remove();
  }
  document.title = document.querySelector('main')?.dataset.title ?? document.title;
}
