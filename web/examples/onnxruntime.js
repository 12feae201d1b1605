// Tensors of ONNX Runtime Web go in as they are; results become its tensors.
import { attention } from 'attention-lab';
import { Tensor } from 'onnxruntime-web';

const query = new Tensor('float32', Float32Array.of(1, 0, 0, 1), [2, 2]);
const value = new Tensor('float32', Float32Array.of(1, 2, 3, 4), [2, 2]);

const { output } = attention(query, query, value, { scale: 1 });
export const tensor = new Tensor('float32', output.data, output.shape);
