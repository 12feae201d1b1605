/** Runs one case of package-cases.js in this process and prints what it saw: run-case.js TITLE */
import { CASES } from './package-cases.js';

const load = {
  index: () => import('../../web/attention/index.js'),
  active: () => import('../../web/attention/kernel/active.js'),
};
const seen = await CASES[process.argv[2]].run(load);
process.stdout.write(JSON.stringify(seen));
