// This package as published, with the kernel that a first call without `init` takes.
import * as library from 'attention-lab';
import { callOf } from './call.js';

/** @import { Contender } from '../problems.js' */

/** @type {Contender} */
export const published = { name: 'attention-lab', prepare: (problem) => callOf(library, problem) };
