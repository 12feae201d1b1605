// Files that people bring to <attn-view>: broken ones, ones that lie, and ones that hold markup.

/** @import { Case } from './case-pages.js' */
/** @import { Tools } from './page-tools.js' */

const BODY = '<attn-view></attn-view>';

/** Gives the figure broken files one after the other. @param {Tools} tools */
async function broken({ drawn, until }) {
  const figure = await drawn('attn-view');
  const title = () => figure.shadowRoot?.querySelector('[part~=title]')?.textContent;
  const before = title();
  /** @type {string[]} */
  const codes = [];
  figure.addEventListener('attn-error', (event) => {
    const { code, message } = /** @type {CustomEvent} */ (event).detail;
    codes.push(message.length < 300 ? code : `a message of ${message.length} characters`);
  });
  const text = (/** @type {string} */ characters) => new TextEncoder().encode(characters);
  const withLength = (/** @type {bigint} */ length, /** @type {string} */ header) => {
    const bytes = new Uint8Array(8 + header.length);
    new DataView(bytes.buffer).setBigUint64(0, length, true);
    bytes.set(text(header), 8);
    return bytes;
  };
  const npy = (/** @type {string} */ shape) => {
    const header = `{'descr': '<f4', 'fortran_order': False, 'shape': (${shape}), }\n`;
    return Uint8Array.of(0x93, ...text('NUMPY'), 1, 0, header.length, 0, ...text(header), 0, 0);
  };
  const tensor = '{"weights":{"dtype":"F32","shape":[2,2],"data_offsets":[0,16]}}';
  const files = {
    empty: new Uint8Array(0),
    'a header of 2⁶³ bytes': withLength(2n ** 63n, tensor),
    'a header longer than the file': withLength(1000n, tensor),
    'tensors that are not there': withLength(BigInt(tensor.length), tensor),
    'an array cut off': npy('2, 2'),
    'two gigabytes announced': npy('16384, 32768'),
    'a negative axis': npy('-1, 2'),
    'an archive that is none': text('PK\u0003\u0004 and nothing else'),
    'JSON cut off': text('{"weights": [[0.5, 0.5], [0.5'),
    'JSON a thousand levels deep': text('['.repeat(1000) + ']'.repeat(1000)),
  };
  for (const [index, file] of Object.values(files).entries()) {
    Object.assign(figure, { file });
    await until(() => codes.length > index);
  }
  const stays = title() === before;
  const good = text('{"weights": [[1, 0], [0.5, 0.5]], "tokens": ["one", "two"]}');
  Object.assign(figure, { file: good });
  await until(() => title()?.includes('two') || title()?.includes('one'));
  return {
    refused: Object.keys(files).filter((_, index) => codes[index].startsWith('ATTN_')).length,
    codes: codes.length,
    stays,
  };
}

/** Gives the figure markup as tokens, and numbers that are none. @param {Tools} tools */
async function strange({ drawn, until }) {
  const figure = await drawn('attn-view');
  const root = /** @type {ShadowRoot} */ (figure.shadowRoot);
  const markup = '<img src=x onerror=alert(1)>';
  const weights = [
    [NaN, 1],
    [Infinity, -Infinity],
  ];
  Object.assign(figure, { weights, tokens: [markup, '__proto__'] });
  await until(() => root.querySelector('.plot')?.textContent?.includes('<img'));
  return {
    markup: root.querySelectorAll('img, script, iframe, [onerror]').length,
    polluted: Reflect.has({}, 'polluted'),
    failed: root.querySelector('[part~=failure]') !== null,
  };
}

/** @type {Record<string, Case>} */
export const FILES = {
  'files that are cut off, lie about lengths or announce gigabytes are refused in a sentence, and what was shown stays':
    { body: BODY, look: broken, seen: { refused: 10, codes: 10, stays: true } },

  'tokens of markup are text, and numbers that are none break nothing': {
    body: BODY,
    look: strange,
    seen: { markup: 0, polluted: false, failed: false },
  },
};
