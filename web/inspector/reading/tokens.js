// Tokens as people have them: texts, numbers of a vocabulary, bytes of UTF-8, and the pieces of byte-level
// tokenizers, which write each byte of the text as one character.

import { reject } from '../../attention/errors.js';

/** The characters that leave no other mark: a space and the end of a line, as GPT-2 writes their bytes. */
const BLANKS = /[ĠĊ]/;
/** Tokens that stand for no text, as `<|endoftext|>` and `[CLS]`. */
const SPECIAL = /^[<[].*[>\]]$/s;

/**
 * The byte of each character of a byte-level piece: what can be printed stands for itself, all else for the
 * characters from U+0100 on (Radford et al., "Language models are unsupervised multitask learners", 2019,
 * `bytes_to_unicode` of its code).
 * @type {Map<string, number>}
 */
const BYTES = new Map();
for (let byte = 0, next = 0x100; byte < 256; byte++) {
  const isPrinted = (byte > 0x20 && byte < 0x7f) || (byte > 0xa0 && byte !== 0xad);
  BYTES.set(String.fromCharCode(isPrinted ? byte : next++), byte);
}

/**
 * Reads tokens as texts.
 * @param {string} caller
 * @param {string} name
 * @param {unknown} tokens  a list or a tensor of texts, numbers or bytes; a batch of one is its text
 * @returns {string[]}
 */
export function readTokens(caller, name, tokens) {
  const list = /** @type {{ data?: unknown }} */ (Object(tokens)).data ?? tokens;
  const isList = Array.isArray(list) || (ArrayBuffer.isView(list) && !(list instanceof DataView));
  if (!isList) return reject(caller, name, tokens, 'an array of texts');
  let all = [.../** @type {Iterable<unknown>} */ (list)];
  if (all.length === 1 && Array.isArray(all[0])) [all] = all;
  return decodePieces(
    all.map((token, i) => textOf(token) ?? reject(caller, `${name}[${i}]`, token, 'a text')),
  );
}

/** Returns a token as a text, if it is one, a number or bytes. @param {unknown} token */
function textOf(token) {
  if (typeof token === 'string') return token;
  if (typeof token === 'number' || typeof token === 'bigint') return String(token);
  return token instanceof Uint8Array ? new TextDecoder().decode(token) : undefined;
}

/** Returns the bytes that a byte-level piece stands for, if it can be one. @param {string} piece */
function bytesOf(piece) {
  const bytes = new Uint8Array(piece.length);
  for (let i = 0; i < piece.length; i++) {
    const byte = BYTES.get(piece[i]);
    if (byte === undefined) return undefined;
    bytes[i] = byte;
  }
  return bytes;
}

/**
 * Decodes the pieces of a byte-level tokenizer; other tokens stay as they are. Pieces show themselves by the
 * sign of a space or of a new line, or by bytes that are whole characters of UTF-8 when put together.
 * @param {string[]} tokens
 * @returns {string[]}
 */
function decodePieces(tokens) {
  const pieces = tokens.map(bytesOf);
  const isOther = tokens.some((token, i) => !pieces[i] && !SPECIAL.test(token));
  if (isOther) return tokens;
  const all = Uint8Array.from(pieces.flatMap((bytes) => [...(bytes ?? [])]));
  const isByteLevel = tokens.some((token) => BLANKS.test(token)) ? isUtf8(all) : isWhole(all);
  // A letter such as ġ is the byte of a control character, which no text of a model has.
  if (!isByteLevel || all.includes(0x7f)) return tokens;
  return pieces.map((bytes, i) => (bytes ? decodePiece(bytes) : tokens[i]));
}

/** Returns whether bytes are whole characters, some of them beyond ASCII. @param {Uint8Array} bytes */
function isWhole(bytes) {
  try {
    return /[^\0-\x7f]/.test(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    return false;
  }
}

/** Returns whether bytes are UTF-8, but for a character cut at either end. @param {Uint8Array} bytes */
function isUtf8(bytes) {
  const start = bytes.findIndex((byte) => byte >> 6 !== 2);
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes.subarray(start), { stream: true });
    return start < 4;
  } catch {
    return false;
  }
}

/** Decodes a piece; a part of a character is its bytes, as `<0xE4>`. @param {Uint8Array} bytes */
function decodePiece(bytes) {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return [...bytes]
      .map((byte) =>
        byte < 0x80 ? String.fromCharCode(byte) : `<0x${byte.toString(16).toUpperCase()}>`,
      )
      .join('');
  }
}
