// The heads of the small language models in English.

export const heads = {
  1.1: 'layer 1, head 1',
  1.2: 'layer 1, head 2',
  2.1: 'layer 2, head 1',
  2.2: 'layer 2, head 2',
};
