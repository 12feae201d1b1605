// The site's front door: sends a reader to the article in the first language of their browser.
// Without script there are two links.
const wanted = navigator.languages.find((tag) => /^(en|zh|cmn)(?![a-z\d])/i.test(tag)) ?? 'en';
const folder = /^en/i.test(wanted) ? 'en/' : 'zh/';
location.replace(folder + location.search + location.hash);
