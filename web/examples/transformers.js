// Tensors of Transformers.js go in as they are; results become its tensors.
import { softmax } from 'attention-lab';
import { Tensor } from '@huggingface/transformers';

const logits = new Tensor('float32', Float32Array.of(1, 2, 3, 1, 1, 1), [2, 3]);

const { data, shape } = softmax(logits);
export const tensor = new Tensor('float32', data, shape);
