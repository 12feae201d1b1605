// The figures as widgets of Jupyter, marimo and other hosts of anywidget (https://anywidget.dev): each
// trait of the model whose name is an attribute of the figure, with underscores (`d_k`), follows the
// figure, and the figure the trait. A name that Python's widgets have already ends with an underscore
// (`keys_`). The trait `figure` names the figure: 'saturation', 'scale', …

import './define.js';
import { attributeName } from './kit/state/state.js';

/**
 * @import { GivenStep } from '../inspector/reading/index.js'
 *
 * @typedef {object} Model what a host gives, as far as it is used here
 * @property {(trait: string) => unknown} get undefined for a trait that the model lacks
 * @property {(trait: string, value: unknown) => void} set
 * @property {() => void} save_changes sends what was set to the program
 * @property {(content: object) => void} [send] sends a message to the program
 * @property {(event: string, callback: (content: any, buffers: DataView[]) => void) => void} on
 * @property {(event: string, callback: (content: any, buffers: DataView[]) => void) => void} off
 */

/** Returns the trait of an attribute, if the model has it. @param {Model} model @param {string} attribute */
function traitOf(model, attribute) {
  const name = attribute.replaceAll('-', '_');
  return [`${name}_`, name].find((each) => model.get(each) !== undefined);
}

/**
 * Writes the value of a trait into an attribute; None and False remove it.
 * @param {Element} figure
 * @param {string} attribute
 * @param {unknown} value
 */
function write(figure, attribute, value) {
  if (value === null || value === false) figure.removeAttribute(attribute);
  else if (value === true) figure.setAttribute(attribute, '');
  else figure.setAttribute(attribute, Array.isArray(value) ? value.join(' ') : String(value));
}

/**
 * Makes a figure show the file of its model, bytes that a program sends; none of them are no file.
 * @param {Model} model
 * @param {Element} figure
 * @returns {() => void} ends it
 */
function followFile(model, figure) {
  const onChange = () => {
    const file = /** @type {DataView} */ (model.get('file'));
    Reflect.set(figure, 'file', file.byteLength > 0 ? file : undefined);
  };
  onChange();
  model.on('change:file', onChange);
  return () => model.off('change:file', onChange);
}

/**
 * Makes a figure show the steps of training that a program sends, `widget.send({"step": 100}, [file])`: a trait would
 * send all of them again with each. A step that is sent again replaces the one before. Messages before now are lost,
 * and those before the page was loaded anew, so the figure asks for all; what comes `again` and is there already
 * changes nothing.
 * @param {Model} model
 * @param {Element} figure
 * @returns {() => void} ends it
 */
function followCourse(model, figure) {
  /** @type {GivenStep[]} */
  let series = [];
  const onMessage = (/** @type {any} */ { step, again }, /** @type {DataView[]} */ [view]) => {
    const others = series.filter((each) => each.step !== step);
    if (!view || (again && others.length < series.length)) return;
    const file = new Uint8Array(view.buffer, view.byteOffset, view.byteLength);
    series = [...others, { step, file }];
    Reflect.set(figure, 'series', series);
  };
  model.on('msg:custom', onMessage);
  model.send?.({ ask: 'steps' });
  return () => model.off('msg:custom', onMessage);
}

/**
 * Shows the figure of a model in an element.
 * @param {{ model: Model, el: Element }} host
 * @returns {() => void} removes it
 */
function render({ model, el }) {
  const tag = `attn-${model.get('figure') ?? 'saturation'}`;
  const Class = customElements.get(tag);
  if (!Class) throw new TypeError(`${tag} is no figure`);
  const figure = new Class();
  /** @type {string[]} */
  const attributes = [...Reflect.get(Class, 'observedAttributes'), 'theme'];
  /** @type {Map<string, string>} */
  const traits = new Map();
  for (const attribute of attributes) {
    const trait = traitOf(model, attribute);
    if (trait !== undefined) traits.set(attribute, trait);
  }
  const follow = [...traits].map(([attribute, trait]) => {
    const event = `change:${trait}`;
    const onChange = () => write(figure, attribute, model.get(trait));
    onChange();
    model.on(event, onChange);
    return () => model.off(event, onChange);
  });

  if (model.get('file') !== undefined) follow.push(followFile(model, figure));
  if ('series' in figure) follow.push(followCourse(model, figure));
  figure.addEventListener('attn-change', (event) => {
    const { state } = /** @type {CustomEvent<{ state: Record<string, unknown> }>} */ (event).detail;
    let isNew = false;
    for (const [key, value] of Object.entries(state)) {
      const trait = traits.get(attributeName(key));
      if (trait === undefined || model.get(trait) === value) continue;
      model.set(trait, value);
      isNew = true;
    }
    if (isNew) model.save_changes();
  });
  // Jupyter takes keys for its own, an arrow and Ctrl+A too, unless an element says that it needs them.
  figure.setAttribute('data-lm-suppress-shortcuts', '');
  el.append(figure);
  return () => {
    for (const end of follow) end();
    figure.remove();
  };
}

export default { render };
