// Installs the packed tarball in an empty folder, as a user would, and uses it there.
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { installPackage } from './packed.js';

const tsc = resolve('node_modules/.bin/tsc');
const relaxedSimd = pathToFileURL(resolve('web/build/relaxed-simd.js')).href;
const { folder, run, remove } = installPackage();
after(remove);
const node = (/** @type {string} */ code) =>
  run('node', ['--input-type=module', '--eval', code]).trim();

test('the package computes at once in Node, with nothing awaited', () => {
  const output = node(`
    import { attention, backend } from 'attention-lab';
    const { output, weights } = attention([[1, 0]], [[0, 0], [0, 0]], [[1, 2], [3, 4]], { returns: ['weights'] });
    console.log(JSON.stringify([output.shape, [...output.data], [...weights.data], backend()]));`);
  assert.deepEqual(JSON.parse(output), [[1, 2], [2, 3], [0.5, 0.5], 'simd']);
});

test('the js backend computes the same', () => {
  const output = node(`
    import { softmax, init } from 'attention-lab';
    console.log(await init({ backend: 'js' }), softmax([0, 0]).data.join());`);
  assert.equal(output, 'js 0.5,0.5');
});

test('every entry can be imported where there is no document', () => {
  const output = node(`
    const names = ['', '/theory', '/experiments', '/figures', '/figures/saturation.js', '/define'];
    for (const name of names) await import('attention-lab' + name);
    for (const bundle of ['/figures.min.js', '/figures/saturation.min.js']) {
      const { softmax } = await import('attention-lab' + bundle);
      names.push(softmax([0, 0]).data[0]);
    }
    console.log('imported', names.slice(6).join(' '));`);
  assert.equal(output, 'imported 0.5 0.5');
});

test('importing the package computes, allocates and registers nothing', () => {
  const output = node(`
    const before = Reflect.ownKeys(globalThis).length;
    const { backend } = await import('attention-lab');
    console.log(backend(), Reflect.ownKeys(globalThis).length - before);`);
  assert.equal(output, 'undefined 0');
});

test('the kernel modules are exported as files that import nothing, and init takes them', () => {
  const output = node(`
    import ${JSON.stringify(relaxedSimd)};
    import { readFileSync } from 'node:fs';
    import { init } from 'attention-lab';
    for (const [backend, name] of [['simd', 'kernel.wasm'], ['relaxed', 'kernel-relaxed.wasm']]) {
      const path = new URL(import.meta.resolve('attention-lab/' + name));
      const module = new WebAssembly.Module(readFileSync(path));
      console.log(WebAssembly.Module.imports(module).length, await init({ backend, module }));
    }
    console.log(await init({ backend: 'js' }), await init({ backend: 'relaxed' }));`);
  assert.equal(output, '0 simd\n0 relaxed\njs relaxed');
});

for (const [module, moduleResolution] of [
  ['nodenext', 'nodenext'],
  ['esnext', 'bundler'],
]) {
  test(`strict TypeScript accepts right calls and rejects wrong ones (${moduleResolution})`, () => {
    writeFileSync(
      join(folder, 'use.ts'),
      `import { attention, softmax, randomNormal, type Tensor } from 'attention-lab';
       import 'attention-lab/define';
       const query: Tensor = randomNormal([4, 8], { seed: 1 });
       const data: Float32Array = attention(query, query, query).output.data;
       const shape: number[] = softmax([1, 2, 3], { temperature: 2 }).shape;
       // @ts-expect-error the seed is required
       randomNormal([4, 8], {});
       // @ts-expect-error a misspelt option
       attention(query, query, query, { scales: 1 });
       export { data, shape };
       export function listen(figure: HTMLElementTagNameMap['attn-saturation']) {
         figure.dK = 128;
         // @ts-expect-error no such scale
         figure.scale = 'cubic';
         figure.addEventListener('attn-change', ({ detail }) => detail.state.dK);
         // @ts-expect-error that event brings no state
         figure.addEventListener('attn-highlight', ({ detail }) => detail.state);
         figure.addEventListener('attn-highlight', ({ detail }) => detail.series);
       }`,
    );
    const options = ['--noEmit', '--strict', '--target', 'es2022', '--lib', 'es2022,dom'];
    run(tsc, [...options, '--module', module, '--moduleResolution', moduleResolution, 'use.ts']);
  });
}
