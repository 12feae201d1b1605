// Runs one case in this process and prints the result that its caller sees: node run-case.js TITLE

import { caseOf } from './cases.js';

const load = {
  index: () => import('../../../web/attention/index.js'),
  active: () => import('../../../web/attention/kernel/active.js'),
  language: () => import('../../../web/language/index.js'),
};
const seen = await caseOf(process.argv[2]).run(load);
process.stdout.write(JSON.stringify(seen));
