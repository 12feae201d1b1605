// <attn-scale> with the panels that <attn-scales> has now, for pages of version 0.1 that name them.

import { recordOf } from '../../shared/keys.js';
import { LANGUAGE_KEYS } from '../../shared/languages.js';
import { panelled } from '../kit/chart/panels.js';
import { spec as scales } from '../scales/element.js';
import { coursePanel, scalesPanel } from '../scales/panels.js';

/**
 * @import { AnyFigureSpec } from '../kit/spec.js'
 * @import { Panel } from '../kit/chart/panels.js'
 * @import { Field } from '../kit/state/state.js'
 */

const { measure, across } = scales.fields;

/** Returns a field that has no control, and stays out of links. @template V @param {Field<V>} field @returns {Field<V>} */
const withoutControl = (field) => ({ ...field, kind: 'picture', isPrivate: true });

/** The fields of these panels, for a figure that does not show them. */
export const hiddenFields = { measure: withoutControl(measure), across: withoutControl(across) };

/** Returns whether one of some texts names these panels or fields. @param {...string} texts */
export const namesScales = (...texts) =>
  texts.some((text) => /\b(scales|course|measure|across)\b/.test(text));

/**
 * Returns the figure with these panels and fields.
 * @param {AnyFigureSpec} spec  of <attn-scale>
 * @param {Record<string, (view: any) => Panel>} panels  of <attn-scale>
 * @returns {AnyFigureSpec}
 */
export const withScales = (spec, panels) => ({
  ...spec,
  fields: { ...spec.fields, measure, across },
  controlOf: { ...spec.controlOf, scales: 'measure', course: 'across' },
  messages: recordOf(LANGUAGE_KEYS, (language) => {
    const [theirs, own] = [scales.messages[language], spec.messages[language]];
    return {
      ...theirs,
      ...own,
      fields: { ...theirs.fields, ...own.fields },
      options: theirs.options,
      panels: { ...own.panels, ...theirs.panels },
    };
  }),
  *compute(state, context) {
    return { ...(yield* scales.compute(state, context)), ...(yield* spec.compute(state, context)) };
  },
  ...panelled({
    title: spec.title,
    panels: { ...panels, scales: scalesPanel, course: coursePanel },
    aspect: { wide: 1, narrow: 1.1 },
    oneAtATime: true,
  }),
});
