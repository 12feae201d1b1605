// What is no element, where there is no DOM library.
import { init, softmax, type InitOptions } from 'attention-lab';
import { measureTraining, saturationCurve, type CurveRow } from 'attention-lab/experiments';
import { expectedSaturation, type Saturation } from 'attention-lab/theory';

const options: InitOptions = { backend: 'simd', module: {} };
export const data: Float32Array = softmax({ data: new Float32Array(3), shape: [3] }).data;
export const curve: CurveRow[] = saturationCurve({ keys: 2, seed: 1 });
export const expected: Saturation = expectedSaturation({ dK: 64, keys: 64 });
export const started = init(options);
export const course = measureTraining({ task: 'average', signal: { aborted: true } });
