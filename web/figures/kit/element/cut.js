// How much of a figure a page asks for: all of it, some of its controls and panels, or the compact cut.

import { firstInTurn, isStacked } from '../chart/chart.js';
import { chosenNames } from '../state/chosen.js';
import { LiveElement } from './element.js';

/** @import { AnyFigureSpec } from '../spec.js' */

/** The base of the figures, for the attributes that cut one to size. */
export class CutElement extends LiveElement {
  /** @type {AnyFigureSpec} */
  static spec;

  static get observedAttributes() {
    return [...super.observedAttributes, 'controls', 'panels', 'compact'];
  }

  /** @type {CutElement['chosenPanels']} */
  #chosen = { shown: undefined, unknown: [] };
  /** The attributes that chose them. */
  #chosenFrom = 'false ';
  /** The panel that a narrow figure shows, where it shows one at a time. @type {readonly string[]} */
  #inView = [];

  get spec() {
    return /** @type {typeof CutElement} */ (this.constructor).spec;
  }

  /** Names the fields in the control line, by attribute; `none` hides all. @returns {string} */
  get controls() {
    return this.getAttribute('controls') ?? '';
  }

  set controls(names) {
    this.reflect('controls', names);
  }

  /** Names the panels to show. @returns {string} */
  get panels() {
    return this.getAttribute('panels') ?? '';
  }

  set panels(names) {
    this.reflect('panels', names);
  }

  /** Whether the figure is cut to its title, one panel and one control. */
  get compact() {
    return (this.getAttribute('compact') ?? 'false') !== 'false';
  }

  set compact(isCompact) {
    this.toggleAttribute('compact', isCompact);
  }

  /**
   * Returns the panels to show, and the names that no panel has.
   * @returns {{ shown: readonly string[] | undefined, unknown: readonly string[] }} undefined for all
   */
  get chosenPanels() {
    const { panels, compact } = this;
    const key = `${compact} ${panels}`;
    if (key === this.#chosenFrom) return this.#chosen;
    const { panels: all = [], main = '' } = this.spec;
    const { names, unknown } = chosenNames('panels', panels, all);
    const usual = compact && main ? [main] : undefined;
    this.#chosenFrom = key;
    this.#chosen = { shown: names.length ? names : usual, unknown };
    return this.#chosen;
  }

  /** Returns the panels among which a narrow figure lets its reader choose; none if it shows them all. */
  get panelsInTurn() {
    const { oneAtATime, panels = [] } = this.spec;
    const names = this.chosenPanels.shown ?? panels;
    return oneAtATime && names.length > 1 ? names : [];
  }

  /**
   * Returns the panels of a picture.
   * @param {number} width  in pixels of the picture
   * @returns {readonly string[] | undefined} undefined for all
   */
  panelsAt(width) {
    const names = this.panelsInTurn;
    if (names.length === 0 || !isStacked(width, this.spec.aspect)) return this.chosenPanels.shown;
    if (!names.includes(this.#inView[0])) this.#inView = [firstInTurn(names, this.spec.main)];
    return this.#inView;
  }

  /** Brings a panel into view. @param {string} name */
  showPanel(name) {
    this.#inView = [name];
    this.requestUpdate();
  }
}
