// The site's front door: sends a reader to the article in the language their browser asks for first.
// Without script the two links of the page do.
const wanted = navigator.languages.find((language) => /^(en|zh)\b/i.test(language)) ?? 'en';
const folder = /^zh/i.test(wanted) ? 'zh/' : 'en/';
location.replace(folder + location.search + location.hash);
