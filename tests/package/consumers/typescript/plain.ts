// What is no element, where there is no DOM library.
import { init, softmax, type InitOptions } from 'attention-lab';
import { rows, type TidyRow } from 'attention-lab/experiments';
import { expectedSaturation, type Saturation } from 'attention-lab/theory';

const options: InitOptions = { backend: 'simd', module: {} };
export const data: Float32Array = softmax({ data: new Float32Array(3), shape: [3] }).data;
export const curve: TidyRow[] = rows('saturation', { keys: 2 });
export const expected: Saturation = expectedSaturation({ dK: 64, keys: 64 });
export const started = init(options);
export const course = rows(
  'training',
  { task: 'average' },
  { run: true, signal: { aborted: true } },
);
