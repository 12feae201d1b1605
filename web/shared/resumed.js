/**
 * @import { Steps } from './slices.js'
 */

/**
 * Remembers long work by name: its result, or how far it got, so that work that is interrupted goes on from there.
 * @template Result
 */
export class Resumed {
  /** @type {Map<string, { steps: Steps<Result>, result?: Result }>} */
  #works = new Map();

  /** Returns whether a work has come to its end. @param {string} name */
  has(name) {
    return this.#works.get(name)?.result !== undefined;
  }

  /**
   * Does a work, or the rest of it.
   * @param {string} name
   * @param {() => Steps<Result>} begin
   * @returns {Steps<Result>}
   */
  *get(name, begin) {
    const work = this.#works.get(name) ?? { steps: begin() };
    this.#works.set(name, work);
    if (work.result !== undefined) return work.result;
    try {
      let step = work.steps.next();
      for (; !step.done; step = work.steps.next()) yield;
      work.result = step.value;
      return step.value;
    } catch (error) {
      this.#works.delete(name);
      throw error;
    }
  }
}
