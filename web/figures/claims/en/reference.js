// What the reference says of <attn-claims> in English.

/** @satisfies {import('../../kit/spec.js').ElementReference} */
export const reference = {
  summary:
    "What is commonly said about scaled attention: claim, verdict, and a number measured on the reader's device.",
  attributes: {},
  parts: {
    title: "the ledger's name",
    controls: 'the line with the choice of language',
    claim: 'one claim: what is said, the verdict, the number',
    failure: 'says what went wrong',
  },
  slots: { caption: "replaces the ledger's own caption" },
};
