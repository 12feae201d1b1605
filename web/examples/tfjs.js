// TensorFlow.js keeps its data to itself: dataSync() or data() hands it over, with the shape.
import { attention } from 'attention-lab';
import * as tf from '@tensorflow/tfjs-core';
import '@tensorflow/tfjs-backend-cpu';

/** @param {tf.Tensor} tensor */
const read = (tensor) => ({ data: tensor.dataSync(), shape: tensor.shape });

const [query, key, value] = [1, 2, 3].map((seed) => tf.randomNormal([8, 4], 0, 1, 'float32', seed));

const { output } = attention(read(query), read(key), read(value));
export const tensor = tf.tensor(output.data, output.shape);

/** The same by TensorFlow.js alone. */
export const expected = tf.matMul(
  tf.softmax(tf.mul(tf.matMul(query, key, false, true), 1 / Math.sqrt(4))),
  value,
);
