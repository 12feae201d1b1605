// The elements by name: the module of `<attn-NAME>` is NAME/element.js. The registration, bundles, pages, embeds
// and tests follow these lists.

/** The figures, in reading order, which numbers them. */
export const FIGURES = [
  'walk',
  'saturation',
  'words',
  'gradient',
  'precision',
  'scale',
  'training',
  'cost',
  'roles',
  'flow',
  'asymmetry',
  'values',
  'heads',
  'scales',
  'language',
  'view',
];

/** Every element: the figures, and the ledger, which has no picture. */
export const ELEMENTS = [...FIGURES, 'claims'];

/** Returns the name of an element's class. @param {string} name */
export const classNameOf = (name) => `Attn${name[0].toUpperCase()}${name.slice(1)}`;

/** Returns the folder of an element's sources, below web/. @param {string} name */
export const folderOf = (name) => (name === 'view' ? 'inspector/view' : `figures/${name}`);
