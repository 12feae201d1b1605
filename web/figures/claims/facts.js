// Facts about <attn-claims> that its manifest, types and reference are made of.

import { PARTS } from '../kit/element/facts.js';

/** @import { ElementFacts } from '../kit/element/facts.js' */

/** @type {ElementFacts} */
export const facts = {
  summary: {
    en: "What is commonly said about scaled attention: claim, verdict, and a number measured on the reader's device.",
    zh: '关于缩放注意力的常见说法：原话、判断，以及在读者设备上测得的数字。',
  },
  row: 'common claims, each with the number that decides it',
  assets: ['EXPERIMENTS_WORKER', 'TRAINER', 'LANGUAGE_KERNELS'],
  needs: ['EXPERIMENTS_WORKER', 'TRAINER'],
  attributes: {},
  slots: { caption: { en: "replaces the ledger's own caption", zh: '代替清单自带的说明' } },
  parts: {
    title: { en: "the ledger's name", zh: '清单的名称' },
    controls: { en: 'the line with the choice of language', zh: '选择语言的一行' },
    claim: {
      en: 'one claim: what is said, the verdict, the number',
      zh: '一种说法：原话、判断、数字',
    },
    failure: { en: 'says what went wrong', zh: '说明出错的原因' },
    retry: PARTS.retry,
  },
};
