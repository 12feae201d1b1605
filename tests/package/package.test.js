// Installs the packed tarball in an empty folder, as a user would, and uses it there.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { installPackage } from './packed.js';

const tsc = resolve('node_modules/.bin/tsc');
const relaxedSimd = pathToFileURL(resolve('web/build/relaxed-simd.js')).href;
const { folder, run, remove } = await installPackage();
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

test('every entry can be imported where there is no document', () => {
  const output = node(`
    const names = ['', '/language', '/theory', '/experiments', '/files', '/figures', '/figures/saturation.js', '/define', '/js', '/anywidget'];
    for (const name of names) await import('attention-lab' + name);
    const { softmax, default: widget } = await import('attention-lab/figures.min.js');
    console.log('imported', softmax([0, 0]).data[0], typeof widget.render);`);
  assert.equal(output, 'imported 0.5 function');
});

test('every entry has a file of its name, for tools that do not read exports', () => {
  const root = join(folder, 'node_modules/attention-lab');
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const entries = Object.keys(exports).filter((name) => name !== '.');
  const hasFile = (/** @type {string} */ name) =>
    ['', '.js', '/index.js'].some(
      (end) => /\.\w+$/.test(name + end) && existsSync(join(root, name + end)),
    );
  assert.ok(entries.includes('./define'));
  assert.deepEqual(
    entries.filter((name) => !hasFile(name)),
    [],
  );
});

test('the program diagnoses a file in a terminal', () => {
  writeFileSync(join(folder, 'weights.json'), '{ "weights": [[0.9, 0.1], [0.2, 0.8]] }');
  const printed = run('node_modules/.bin/attention-lab', ['diagnose', 'weights.json']);
  assert.match(printed, /^step +head +verdict .*\n +0 +1\.1 +spread/);
});

test('a language model is trained, and its errors are those of the package', () => {
  const output = node(`
    import { ShapeError } from 'attention-lab';
    import { characters, createModel, createTrainer, initLanguage, load, save } from 'attention-lab/language';
    for (const backend of ['simd', 'js']) {
      await initLanguage({ backend });
      const tokenizer = characters('to be or not to be ');
      const tokens = tokenizer.encode('to be or not to be '.repeat(9));
      const model = createModel({ vocabulary: tokenizer.pieces.length, context: 8, dModel: 16, seed: 1 });
      const trainer = createTrainer(model, { learningRate: 0.01, warmUp: 0 });
      const { loss } = await trainer.train(tokens, { steps: 60 });
      console.log(loss, load(save(trainer.model)).config.context);
      await trainer.train([1], { steps: 1 }).catch((error) => console.log(error instanceof ShapeError));
    }`);
  const [simd, known, js] = output.split('\n');
  assert.equal(js, simd);
  assert.equal(known, 'true');
  const [loss, context] = simd.split(' ').map(Number);
  assert.ok(loss < 0.7);
  assert.equal(context, 8);
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

/**
 * @param {string} module @param {string} moduleResolution @param {string} file
 * @param {string} [lib] @param {string[]} more options
 */
function compile(module, moduleResolution, file, lib = 'es2022,dom', ...more) {
  const options = ['--noEmit', '--strict', '--target', 'es2022', '--lib', lib, ...more];
  run(tsc, [...options, '--module', module, '--moduleResolution', moduleResolution, file]);
}

for (const [module, moduleResolution] of [
  ['nodenext', 'nodenext'],
  ['esnext', 'bundler'],
]) {
  test(`strict TypeScript accepts right calls and rejects wrong ones (${moduleResolution})`, () => {
    writeFileSync(
      join(folder, 'use.ts'),
      `import {
         attention, softmax, randomNormal,
         type DTypeError, type ShapeError, type Tensor, type TensorLike,
       } from 'attention-lab';
       import 'attention-lab/define';
       const query: Tensor = randomNormal([4, 8], { seed: 1 });
       const data: Float32Array = attention(query, query, query).output.data;
       const shape: number[] = softmax([1, 2, 3], { temperature: 2 }).shape;
       // @ts-expect-error the seed is required
       randomNormal([4, 8], {});
       // @ts-expect-error a misspelt option
       attention(query, query, query, { scales: 1 });
       export { data, shape };
       const rows: TensorLike = [[new Float32Array(2)], [new Float64Array(2)], [[1, 2]]];
       softmax(rows);
       export function narrowed(error: ShapeError | DTypeError): ShapeError | undefined {
         return error.code === 'ATTN_SHAPE' ? error : undefined;
       }
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
    compile(module, moduleResolution, 'use.ts');
  });

  test(`rows, options and results have types (${moduleResolution})`, () => {
    writeFileSync(
      join(folder, 'rows.ts'),
      `import { attention, softmax, type Tensor } from 'attention-lab';
       import { figures, rows, type Figure, type TidyRow } from 'attention-lab/experiments';
       import { expectedSaturation, type Saturation } from 'attention-lab/theory';
       export const curve = (keys?: number): TidyRow[] => rows('saturation', { dK: 64, scale: 'sqrt', keys });
       export const course = (signal: AbortSignal): Promise<TidyRow[]> => rows('training', {}, { run: true, signal });
       export const all = (name: Figure) => rows(name);
       export const names: readonly Figure[] = figures;
       // @ts-expect-error no such figure
       rows('satiation');
       export const expected: Saturation = expectedSaturation({ dK: 64, keys: 64 });
       const mine = { data: new Float32Array(3), shape: [3] };
       const shared = { data: new Float32Array(new SharedArrayBuffer(12)), shape: [3] };
       const given: Float32Array = mine.data;
       export const blob = new Blob([softmax(mine).data, softmax(shared).data]);
       export const inputs = softmax({ data: given, shape: [3] });
       const q: Tensor = { data: new Float32Array(4), shape: [2, 2] };
       export const message = new Blob([attention(q, q, q, { returns: ['weights'] }).weights.data]);`,
    );
    compile(module, moduleResolution, 'rows.ts');
  });

  test(`programs under the strictest flags compile (${moduleResolution})`, () => {
    writeFileSync(
      join(folder, 'strict.ts'),
      `import {
         attention, attentionGradient, diagnose, effectiveKeys, linear, randomNormal, rows, softmax, toNested,
         type AttentionOptions, type Tensor,
       } from 'attention-lab';
       const x = randomNormal([4, 8], { seed: 1 });
       export const first = effectiveKeys(attention(x, x, x, { scale: 1, returns: 'weights' }).weights).data;
       const options: AttentionOptions = { causal: true, returns: ['weights'] };
       export const kept: Tensor | undefined = attention(x, x, x, options).weights;
       const plain = { scale: 1, causal: true, window: [2, -1] as const };
       attention(x, x, x, plain);
       attentionGradient(x, x, x, x, options);
       const may: number | undefined = Math.random() > 2 ? 1 : undefined;
       attention(x, x, x, { scale: may, softcap: may, returns: undefined });
       attention(x, x, x, { returns: ['scores'], into: { output: new Float32Array(32) } });
       softmax(x, { into: new Float32Array(32) });
       attention(x, x, x, { mask: { data: new BigInt64Array(4), dims: [1, 4] } });
       export const nested: number | undefined = toNested<number[][]>(x)[0]?.[0];
       export const query: number | undefined = rows(x, ['query', 'key'])[0]?.query;
       export const verdict: string | undefined = diagnose(x, x)[0]?.verdict;
       export const y: Tensor = linear(x, x, null);
       // @ts-expect-error not any
       toNested(x).anything;
       // @ts-expect-error a misspelt result
       attention(x, x, x, { returns: ['wieghts'] });`,
    );
    const strictest = ['--noUncheckedIndexedAccess', '--exactOptionalPropertyTypes'];
    compile(module, moduleResolution, 'strict.ts', 'es2022,dom', ...strictest);
  });

  test(`a Float16Array is a tensor where the library of types has it (${moduleResolution})`, () => {
    writeFileSync(
      join(folder, 'half.ts'),
      `import { softmax, toNested } from 'attention-lab';
       const data = new Float16Array(2);
       export const all = [softmax(data), softmax([data, data]), softmax({ data, shape: [2] })];
       export const one = toNested({ data: new Uint16Array(2), dims: [2], type: 'float16' });
       // @ts-expect-error integers are no rows
       softmax([new Int32Array(2)]);`,
    );
    compile(module, moduleResolution, 'half.ts', 'es2025,dom');
  });

  test(`only results that are there for sure need no question mark (${moduleResolution})`, () => {
    writeFileSync(
      join(folder, 'returns.ts'),
      `import {
         additiveAttention, attention, multiHeadAttention,
         type AttentionOptions, type MultiHeadOptions, type MultiHeadParameters, type Tensor,
       } from 'attention-lab';
       type Name = 'weights' | 'scores';
       export function results(x: Tensor, layer: MultiHeadParameters, flag: boolean, name: Name, list: Name[]) {
         const both = ['weights', 'scores'] as const;
         const additive = { queryWeight: x, keyWeight: x, scoreWeight: x };
         const options: AttentionOptions = { returns: ['weights'] };
         const layerOptions: MultiHeadOptions = { heads: 1, returns: ['query'] };
         const either = attention(x, x, x, { returns: flag ? ['weights', 'logSumExp'] : ['logSumExp'] });
         const oneOf = attention(x, x, x, { returns: [name, 'logSumExp'] });
         const sure: Tensor[] = [
           attention(x, x, x, options).output,
           attention(x, x, x, { returns: ['weights'] }).weights,
           attention(x, x, x, { returns: both }).scores,
           additiveAttention(x, x, x, { ...additive, returns: ['weights'] }).weights,
           multiHeadAttention(x, layer, { heads: 1, returns: ['query'] }).query,
           either.logSumExp,
           oneOf.logSumExp,
         ];
         // @ts-expect-error no result was named
         sure.push(attention(x, x, x).weights);
         // @ts-expect-error something else was
         sure.push(attention(x, x, x, { returns: ['weights'] }).scores);
         // @ts-expect-error a list may be empty
         sure.push(attention(x, x, x, { returns: list }).weights);
         // @ts-expect-error the results that options name are not in their type
         sure.push(attention(x, x, x, options).weights);
         // @ts-expect-error likewise
         sure.push(multiHeadAttention(x, layer, layerOptions).query);
         // @ts-expect-error one of the two lists has none
         sure.push(either.weights);
         // @ts-expect-error these or the scores
         sure.push(oneOf.weights);
         // @ts-expect-error only if the flag is set
         sure.push(attention(x, x, x, { returns: flag ? ['weights'] : undefined }).weights);
         // @ts-expect-error likewise
         sure.push(attention(x, x, x, { causal: true, ...(flag && { returns: ['weights'] }) }).weights);
         // @ts-expect-error likewise
         sure.push(additiveAttention(x, x, x, { ...additive, returns: flag ? ['weights'] : undefined }).weights);
         // @ts-expect-error likewise
         sure.push(multiHeadAttention(x, layer, { heads: 1, ...(flag && { returns: ['query'] }) }).query);
         // @ts-expect-error misspelt
         attention(x, x, x, { returns: ['weigths'] });
         return sure;
       }`,
    );
    compile(module, moduleResolution, 'returns.ts');
  });

  test(`undefined is an option left out, to compilers that tell them apart too (${moduleResolution})`, () => {
    writeFileSync(
      join(folder, 'left-out.ts'),
      `import { attention, init, parameterCount, randomNormal, softmax, type Tensor } from 'attention-lab';
       import { rows } from 'attention-lab/experiments';
       import { expectedSaturation } from 'attention-lab/theory';
       export function call(number?: number, returns?: ['weights'], signal?: AbortSignal) {
         const x = randomNormal([2, 2], { seed: 1, std: number });
         softmax({ data: x.data, shape: [4], dtype: undefined }, { temperature: number });
         const { output, weights } = attention(x, x, x, { mask: undefined, scale: number, returns });
         // @ts-expect-error only if it was named
         const sure: Tensor = weights;
         parameterCount({ dModel: 8, heads: 2, kvHeads: number });
         rows('saturation', { keys: 2, queries: number }, { lang: undefined });
         expectedSaturation({ dK: 2, keys: 2, factor: number });
         void rows('training', { task: 'average' }, { run: true, signal });
         return [init({ module: undefined }), output, sure];
       }`,
    );
    compile(module, moduleResolution, 'left-out.ts', 'es2022,dom', '--exactOptionalPropertyTypes');
  });
}

test('strict TypeScript needs no DOM library for what is no element', () => {
  writeFileSync(
    join(folder, 'plain.ts'),
    `import { init, softmax, type InitOptions } from 'attention-lab';
     import { rows } from 'attention-lab/experiments';
     import { readAttention, type Attention } from 'attention-lab/files';
     import { freezingDimension } from 'attention-lab/theory';
     export const keys = (bytes: Uint8Array) =>
       readAttention(bytes, { name: 'a.npz' }).then(({ key, tokens }: Attention) => [key?.data, tokens]);
     const options: InitOptions = { backend: 'simd', module: {} };
     export const data: Float32Array = softmax([1, 2]).data;
     export const results = [init(options), rows('saturation', { keys: 2 })];
     export const course = rows('training', {}, { run: true, signal: { aborted: true } });
     // @ts-expect-error no list
     freezingDimension([2]);`,
  );
  compile('nodenext', 'nodenext', 'plain.ts', 'es2022');
  writeFileSync(
    join(folder, 'page.ts'),
    `import type { InitOptions } from 'attention-lab';
     type Is<A> = <T>() => T extends A ? 1 : 2;
     type Same<A, B> = Is<A> extends Is<B> ? true : false;
     export const same: Same<NonNullable<InitOptions['module']>, WebAssembly.Module> = true;`,
  );
  compile('nodenext', 'nodenext', 'page.ts');
});
