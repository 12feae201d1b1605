// Installed by `npm run language` alone, so its types are unknown elsewhere.
declare module 'opencc-js/t2cn';
