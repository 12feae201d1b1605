/**
 * @import { Steps } from './slices.js'
 */

/**
 * Remembers long work of objects by name: its result, or how far it got, so that work that is interrupted goes on
 * from there. What it knows of an object is freed with it.
 *
 * @template Result
 */
export class Resumed {
  /** @type {WeakMap<object, Map<string, { steps: Steps<Result>, result?: Result }>>} */
  #all = new WeakMap();

  /** Returns whether a work has come to its end. @param {object} object @param {string} name */
  has(object, name) {
    return this.#all.get(object)?.get(name)?.result !== undefined;
  }

  /**
   * Does a work, or the rest of it.
   * @param {object} object
   * @param {string} name
   * @param {() => Steps<Result>} begin
   * @returns {Steps<Result>}
   */
  *get(object, name, begin) {
    const works = this.#all.get(object) ?? new Map();
    this.#all.set(object, works);
    const work = works.get(name) ?? { steps: begin() };
    works.set(name, work);
    if (work.result !== undefined) return work.result;
    try {
      let step = work.steps.next();
      for (; !step.done; step = work.steps.next()) yield;
      work.result = step.value;
      return step.value;
    } catch (error) {
      works.delete(name);
      throw error;
    }
  }
}
