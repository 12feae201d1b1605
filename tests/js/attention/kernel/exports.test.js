// The WebAssembly module stands alone: it imports nothing, and exports the functions of attn.h.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { decode } from '../../../../web/attention/kernel/decode.js';

const HEADER = new URL('../../../../c/attn.h', import.meta.url);

test('the WebAssembly module imports nothing', async () => {
  const { text } = await import('../../../../web/attention/kernel/generated/simd.js');
  const module = await WebAssembly.compile(decode(text));
  assert.deepEqual(WebAssembly.Module.imports(module), []);
});

test('the module exports the functions of attn.h, its memory and the start of free memory', async () => {
  const header = readFileSync(HEADER, 'utf8');
  const declared = new Set([...header.matchAll(/\b(attn_[a-z0-9_]+)\(/g)].map(([, name]) => name));
  const { text } = await import('../../../../web/attention/kernel/generated/simd.js');
  const exported = WebAssembly.Module.exports(await WebAssembly.compile(decode(text))).map(
    ({ name }) => name,
  );
  for (const name of [...declared, 'memory', '__heap_base']) {
    assert.ok(exported.includes(name), name);
  }
});
