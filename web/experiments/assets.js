/** The worker of long experiments, as text. web/build/texts.js makes it. */
export const EXPERIMENTS_WORKER = {
  of: 'package',
  budget: 'asset',
  isInFile: true,
  files: { 'experiments-worker': () => import('./generated/worker.js') },
};

/** The language model, for experiments that train one. */
export const TRAINER = {
  of: 'package',
  budget: 'asset',
  isInFile: true,
  files: { 'model-trainer': () => import('./trainer.js') },
};
