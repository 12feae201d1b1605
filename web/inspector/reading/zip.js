// Archives as NumPy writes them for .npz: the directory at the end, files stored or deflated (PKWARE,
// APPNOTE.TXT 6.3). Sizes are those of the directory, compared with the bytes before memory is taken.

import { CapacityError, DTypeError, reason } from '../../attention/errors.js';

/** @typedef {{ name: string, read: () => Promise<Uint8Array> }} Entry */

const [LOCAL, CENTRAL, END] = [0x04034b50, 0x02014b50, 0x06054b50];
/** Bytes of each record without its texts. */
const LENGTHS = { local: 30, central: 46, end: 22 };
const LONGEST_COMMENT = 0xffff;
/** Deflate gives at most 258 bytes for two bits. */
const MOST_FROM_BYTE = 1032;
const MOST_BYTES = 2 ** 30;
/** Of all files together. */
const MOST_IN_ALL = 2 ** 31;
const MOST_FILES = 4096;

/** Returns whether bytes begin like an archive. @param {Uint8Array} bytes */
export const isZip = (bytes) => bytes[0] === 0x50 && bytes[1] === 0x4b;

/**
 * Lists the files of an archive.
 * @param {Uint8Array} bytes
 * @returns {Entry[]}
 */
export function openZip(bytes) {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = findEnd(view);
  const count = view.getUint16(end + 10, true);
  let at = view.getUint32(end + 16, true);
  if (count > MOST_FILES) {
    throw new CapacityError(`the archive has ${count} files, expected at most ${MOST_FILES}`);
  }
  /** @type {Entry[]} */
  const entries = [];
  let announced = 0;
  for (let i = 0; i < count; i++) {
    if (at + LENGTHS.central > end || view.getUint32(at, true) !== CENTRAL) {
      throw new DTypeError(
        `the directory of the archive has ${i} files, expected ${count}: it is cut off or damaged`,
      );
    }
    const texts = [28, 30, 32].map((offset) => view.getUint16(at + offset, true));
    const name = new TextDecoder().decode(
      bytes.subarray(at + LENGTHS.central, at + LENGTHS.central + texts[0]),
    );
    entries.push(entryAt(view, at, name));
    announced += view.getUint32(at + 24, true);
    at += texts.reduce((a, b) => a + b, LENGTHS.central);
  }
  if (announced > MOST_IN_ALL) {
    throw new CapacityError(
      `the archive announces ${announced} bytes in all, expected at most ${MOST_IN_ALL}`,
    );
  }
  return entries;
}

/** Returns where the last record begins; a comment may follow it. @param {DataView} view */
function findEnd(view) {
  const last = view.byteLength - LENGTHS.end;
  for (let at = last; at >= Math.max(0, last - LONGEST_COMMENT); at--) {
    if (view.getUint32(at, true) === END) return at;
  }
  throw new DTypeError('the archive has no directory at its end: it is cut off');
}

/**
 * Returns a file of the archive.
 * @param {DataView} view
 * @param {number} at  its place in the directory
 * @param {string} name
 * @returns {Entry}
 */
function entryAt(view, at, name) {
  const [flags, method] = [8, 10].map((offset) => view.getUint16(at + offset, true));
  const [crc, packed, size, start] = [16, 20, 24, 42].map((offset) =>
    view.getUint32(at + offset, true),
  );
  const read = async () => {
    if (flags & 1) throw new DTypeError(`${name} is encrypted, expected a plain archive`);
    if (method !== 0 && method !== 8) {
      throw new DTypeError(`${name} is packed by method ${method}, expected 0 or 8 (deflate)`);
    }
    const part = packedBytes(view, { name, start, packed });
    if (size > (method === 0 ? packed : MOST_FROM_BYTE * packed) || size > MOST_BYTES) {
      throw new CapacityError(
        `${name} announces ${size} bytes in ${packed} packed ones, expected at most ${Math.min(MOST_BYTES, MOST_FROM_BYTE * packed)}`,
      );
    }
    const bytes = method === 0 ? part : await inflate(name, part, size);
    if (bytes.length !== size || crcOf(bytes) !== crc) {
      throw new DTypeError(`${name} differs from its checksum in the archive: it is damaged`);
    }
    return bytes;
  };
  return { name, read };
}

/**
 * Returns the packed bytes of a file.
 * @param {DataView} view
 * @param {{ name: string, start: number, packed: number }} entry
 */
function packedBytes(view, { name, start, packed }) {
  const isLocal = start + LENGTHS.local <= view.byteLength && view.getUint32(start, true) === LOCAL;
  const texts = isLocal ? view.getUint16(start + 26, true) + view.getUint16(start + 28, true) : 0;
  const from = start + LENGTHS.local + texts;
  if (!isLocal || from + packed > view.byteLength) {
    throw new DTypeError(
      `${name} announces ${packed} bytes at ${start}, expected them within the ${view.byteLength} of the archive`,
    );
  }
  return new Uint8Array(view.buffer, view.byteOffset + from, packed);
}

/**
 * Inflates bytes.
 * @param {string} name
 * @param {Uint8Array} packed
 * @param {number} size  of the result; it ends with an error as soon as there are more
 */
async function inflate(name, packed, size) {
  const bytes = new Uint8Array(size);
  let at = 0;
  try {
    const stream = new Blob([/** @type {Uint8Array<ArrayBuffer>} */ (packed)]).stream();
    const reader = stream.pipeThrough(new DecompressionStream('deflate-raw')).getReader();
    for (let step; !(step = await reader.read()).done; at += step.value.length) {
      if (at + step.value.length > size) {
        await reader.cancel();
        throw new RangeError('there are more');
      }
      bytes.set(step.value, at);
    }
  } catch (error) {
    throw new DTypeError(`${name} does not unpack to ${size} bytes: ${reason(error)}`);
  }
  return bytes.subarray(0, at);
}

/** The checksum of each byte. @type {Uint32Array | undefined} */
let table;

/** Returns the CRC-32 of bytes. @param {Uint8Array} bytes */
function crcOf(bytes) {
  table ??= Uint32Array.from({ length: 256 }, (_, byte) => {
    for (let bit = 0; bit < 8; bit++) byte = byte & 1 ? (byte >>> 1) ^ 0xedb88320 : byte >>> 1;
    return byte;
  });
  let crc = -1;
  for (let i = 0; i < bytes.length; i++) crc = table[(crc ^ bytes[i]) & 0xff] ^ (crc >>> 8);
  return (crc ^ -1) >>> 0;
}
