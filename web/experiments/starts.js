/**
 * Models whose queries and keys begin wider or narrower than with unit variance, and what leaving 1/√d_k out costs
 * from each start, in recorded runs (web/recording/starts.js).
 */
import { START_KEYS, startVariance } from '../shared/starts.js';

/**
 * @import { Model } from '../language/index.js'
 * @import { RecordedStarts } from '../language/recorded/measure.js'
 * @import { StartKey } from '../shared/starts.js'
 */

/**
 * Returns a model of unit variance with another start of queries and keys; weights stay normal.
 * @param {Model} model
 * @param {StartKey} start
 * @returns {Model}
 */
export function withStart({ config, parameters }, start) {
  const factor = Math.sqrt(startVariance(start));
  const started = Object.entries(parameters).map(([name, { data, shape }]) => [
    name,
    { data: /(query|key)Weight$/.test(name) ? data.map((x) => x * factor) : data, shape },
  ]);
  return { config, parameters: Object.fromEntries(started) };
}

/**
 * What leaving the scale out costs, by start.
 * @typedef {object} StartCost
 * @property {StartKey} start
 * @property {number} seed
 * @property {number} scaled loss with 1/√d_k at the end, on held-out text, in nats a token
 * @property {number} unscaled without a scale
 * @property {number} cost the second less the first
 */

/**
 * Returns what leaving the scale out costs in the recorded runs, of the seeds that have both.
 * @param {RecordedStarts} recorded
 * @returns {StartCost[]} ordered as the starts, then by seed
 */
export function startCosts({ runs }) {
  return START_KEYS.flatMap((start) => {
    const own = runs.filter((run) => run.start === start);
    return own.flatMap(({ scale, seed, loss }) => {
      const other = own.find((run) => run.scale === 'none' && run.seed === seed);
      if (scale !== 'sqrt' || !other) return [];
      const [scaled, unscaled] = [loss, other.loss].map((each) => each[each.length - 1]);
      return [{ start, seed, scaled, unscaled, cost: unscaled - scaled }];
    });
  });
}
