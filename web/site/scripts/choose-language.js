// The site's front door: sends a reader to the article in the first language of their browser.
// Without script there are two links.
const wanted = navigator.languages.find((language) => /^(en|zh)\b/i.test(language)) ?? 'en';
const folder = /^zh/i.test(wanted) ? 'zh/' : 'en/';
location.replace(folder + location.search + location.hash);
