/** The bundle of <attn-view> as text, for the pages that it saves. web/build/texts.js makes it. */
export const VIEW = {
  of: 'package',
  budget: 'view',
  files: { 'view-bundle': () => import('./generated/bundle.js') },
};
