/** The experiments that take seconds, which `inWorker` runs in a worker. */
import { measureClaims } from './claims.js';
import { diagnoseHeads } from './diagnose-heads.js';
import { measureLongHead } from './long-attention.js';
import { measureRecall } from './recall.js';
import { measureRoles } from './roles.js';
import { measureTraining } from './training.js';

export const LONG = {
  claims: measureClaims,
  head: measureLongHead,
  heads: diagnoseHeads,
  recall: measureRecall,
  roles: measureRoles,
  training: measureTraining,
};
