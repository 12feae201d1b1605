// What the reference says of <attn-claims> in Chinese.

/** @type {typeof import('../en/reference.js').reference} */
export const reference = {
  summary: '关于缩放注意力的常见说法：原话、判断，以及在读者设备上测得的数字。',
  attributes: {},
  parts: {
    title: '清单的名称',
    controls: '选择语言的一行',
    claim: '一种说法：原话、判断、数字',
    failure: '说明出错的原因',
  },
  slots: { caption: '代替清单自带的说明' },
};
