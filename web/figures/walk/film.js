// The film of <attn-walk>: d_k runs from 1 to 256, the walks fan out, one key takes all, and the cloud of gradients
// sinks; then the scores are divided by √d_k, and everything comes back.

/** @import { Film } from '../kit/spec.js' */

/** In milliseconds: how long walks grow, rest, and rest again once they are scaled. */
const [GROWS, RESTS, ENDS] = [4000, 1300, 1500];
const LONGEST = 256;

/** d_k doubles in equal times. @type {Film} */
export const film = {
  byItself: true,
  at(time) {
    if (time >= GROWS + RESTS + ENDS) return undefined;
    const dK = Math.round(LONGEST ** Math.min(1, time / GROWS));
    return { dK, scale: time < GROWS + RESTS ? 'none' : 'sqrt' };
  },
};
