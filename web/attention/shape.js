/**
 * Reads, counts and shows shapes.
 */
import { CapacityError, ShapeError, show } from './errors.js';
import { isTypedArray } from './typed-array.js';

/** The largest number of axes; also ends the descent into an array that contains itself. */
export const MOST_AXES = 16;
const LONGEST_AXIS = 2 ** 32 - 1; // uint32_t

/**
 * Returns a shape as messages show it: [8, 64].
 *
 * @param {readonly number[]} shape
 * @returns {string}
 */
export const showShape = (shape) => `[${shape.join(', ')}]`;

/**
 * Returns the number of entries of a shape, exact below 2^53 and never NaN.
 *
 * @param {readonly number[]} shape
 * @returns {number}
 */
export function countOf(shape) {
  let count = 1;
  for (const axis of shape) {
    if (axis === 0) return 0;
    count *= axis;
  }
  return count;
}

/**
 * Refuses a tensor whose shape does not fit.
 *
 * @param {string} caller
 * @param {string} name
 * @param {readonly number[]} shape
 * @param {string} expected
 * @returns {never}
 */
export function rejectShape(caller, name, shape, expected) {
  throw new ShapeError(`${caller}: ${name} is ${showShape(shape)}, expected ${expected}`);
}

/**
 * Reads a shape by itself: an array of non-negative integers.
 *
 * @param {string} caller
 * @param {string} name
 * @param {unknown} shape
 * @returns {number[]} a copy
 */
export function readShape(caller, name, shape) {
  if (!Array.isArray(shape) && !isTypedArray(shape)) {
    throw new ShapeError(
      `${caller}: ${name} is ${show(shape)}, expected an array of non-negative integers`,
    );
  }
  if (shape.length > MOST_AXES) {
    throw new ShapeError(
      `${caller}: ${name} has ${shape.length} axes, expected at most ${MOST_AXES}`,
    );
  }
  /** @type {number[]} */
  const axes = [];
  for (let i = 0; i < shape.length; i++) {
    const axis = shape[i];
    if (typeof axis !== 'number' || !Number.isInteger(axis) || axis < 0) {
      throw new ShapeError(
        `${caller}: ${name}[${i}] is ${show(axis)}, expected a non-negative integer`,
      );
    }
    axes.push(axis);
  }
  return axes;
}

/**
 * Refuses lengths that the kernel cannot count, even where another axis is 0. Callers compare lengths
 * first.
 *
 * @param {string} caller
 * @param {string} name
 * @param {readonly number[]} shape
 */
export function expectShortAxes(caller, name, shape) {
  for (let i = 0; i < shape.length; i++) {
    if (shape[i] <= LONGEST_AXIS) continue;
    throw new CapacityError(
      `${caller}: ${name}[${i}] is ${shape[i]}, expected at most ${LONGEST_AXIS}`,
    );
  }
}
