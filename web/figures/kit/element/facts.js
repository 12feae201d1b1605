// Facts that hold for all elements: types by name. Manifest, types and reference of the elements are made of them
// and of the texts of */reference.js; no page loads these files.

/** Attributes of every element. */
export const SHARED_ATTRIBUTES = { lang: 'string', theme: "'light' | 'dark'" };

/** Attributes of every figure. */
export const FIGURE_ATTRIBUTES = { controls: 'string', panels: 'string', compact: 'boolean' };

export const EVENTS = {
  'attn-change':
    'CustomEvent<{ figure: string, state: Record<string, string | number>, settled: boolean }>',
  'attn-highlight': 'CustomEvent<{ series: string, pinned: string }>',
};
