// One measurement in this process: node in-node.js NAME OPTIONS, both as engines.js gives them.
import { measure } from './measure/index.js';

/** @import { MeasurementName } from './measure/index.js' */

const [name, options] = process.argv.slice(2);
const parts = await measure(/** @type {MeasurementName} */ (name), JSON.parse(options));
process.send?.(parts);
process.disconnect?.();
