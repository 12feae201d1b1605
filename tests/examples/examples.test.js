// The examples of web/examples with the libraries that they are for, on the package as packed:
// rows as charts, tensors of other libraries in and out.
//   ./build.sh examples
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';

/** @param {string} file of the folder where everything is installed */
const load = (file) => import(pathToFileURL(`build/examples/${file}`).href);
/** @param {string} name of a package there */
const library = async (name) => {
  const { createRequire } = await import('node:module');
  const resolve = createRequire(pathToFileURL('build/examples/package.json')).resolve;
  return import(pathToFileURL(resolve(name)).href);
};

/** The rows of a panel with two series at ten d_k. */
const COUNT = 20;

/** @param {string} svg  @param {RegExp} pattern */
const count = (svg, pattern) => [...svg.matchAll(pattern)].length;

describe('charts', () => {
  it('Observable Plot draws a dot for every measured row and a line for each series', async () => {
    const { chart } = await load('plot.js');
    const { JSDOM } = await library('jsdom');
    const { window } = new JSDOM('');
    const svg = new window.XMLSerializer().serializeToString(chart(window.document));
    assert.equal(count(svg, /<circle/g), COUNT);
    const lines = svg.match(/aria-label="line".*?<\/g>/s)?.[0] ?? '';
    assert.equal(count(lines, /<path/g), 2);
    assert.doesNotMatch(svg, /NaN/);
  });

  it('Vega-Lite draws a point for every measured row and a line for each series', async () => {
    const { specification } = await load('vega-lite.js');
    const [vega, vegaLite] = [await library('vega'), await library('vega-lite')];
    const { spec } = vegaLite.compile(specification);
    const svg = await new vega.View(vega.parse(spec), { renderer: 'none' }).toSVG();
    assert.equal(
      count(svg, /<path aria-label="[^"]*" role="graphics-symbol" aria-roledescription="point"/g),
      COUNT,
    );
    assert.equal(count(svg, /aria-roledescription="line mark"/g), 2);
    assert.doesNotMatch(svg, /NaN/);
  });

  it('ECharts has every row in its series', async () => {
    const { option } = await load('echarts.js');
    const echarts = await library('echarts');
    const chart = echarts.init(null, null, { renderer: 'svg', ssr: true, width: 600, height: 400 });
    chart.setOption(option);
    const counts = chart
      .getModel()
      .getSeries()
      .map((/** @type {any} */ series) => series.getData().count());
    assert.equal(
      counts.reduce((/** @type {number} */ a, /** @type {number} */ b) => a + b),
      2 * COUNT,
    );
    const svg = chart.renderToSVGString();
    chart.dispose();
    assert.ok(count(svg, /<path/g) > COUNT);
    assert.doesNotMatch(svg, /NaN/);
  });
});

describe('tensors', () => {
  it('of ONNX Runtime Web go in and come out', async () => {
    const { tensor } = await load('onnxruntime.js');
    const e = Math.E / (1 + Math.E); // weight of the key that is the query
    const expected = [
      e * 1 + (1 - e) * 3,
      e * 2 + (1 - e) * 4,
      (1 - e) * 1 + e * 3,
      (1 - e) * 2 + e * 4,
    ];
    assert.deepEqual([tensor.type, ...tensor.dims], ['float32', 2, 2]);
    tensor.data.forEach((/** @type {number} */ x, /** @type {number} */ i) => {
      assert.ok(Math.abs(x - expected[i]) < 1e-6);
    });
  });

  it('of Transformers.js go in and come out', async () => {
    const { tensor } = await load('transformers.js');
    const transformers = await library('@huggingface/transformers');
    assert.deepEqual(tensor.dims, [2, 3]);
    const expected = [...transformers.softmax([1, 2, 3]), 1 / 3, 1 / 3, 1 / 3];
    tensor.data.forEach((/** @type {number} */ x, /** @type {number} */ i) => {
      assert.ok(Math.abs(x - expected[i]) < 1e-6);
    });
  });

  it('of TensorFlow.js go in by their data, and it computes the same', async () => {
    const { tensor, expected } = await load('tfjs.js');
    assert.deepEqual(tensor.shape, [8, 4]);
    const [got, wanted] = [tensor.dataSync(), expected.dataSync()];
    assert.ok(wanted.some((/** @type {number} */ x) => Math.abs(x) > 0.1));
    got.forEach((/** @type {number} */ x, /** @type {number} */ i) => {
      assert.ok(Math.abs(x - wanted[i]) < 1e-5);
    });
  });
});
