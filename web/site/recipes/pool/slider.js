import { randomNormal } from 'attention-lab';
import { createPool } from 'attention-lab/parallel';

const pool = createPool();
const [query, key, value] = [1, 2, 3].map((seed) => randomNormal([8000, 64], { seed }));
const slider = document.querySelector('input');
const output = document.querySelector('output');

slider.oninput = async () => {
  const temperature = Number(slider.value);
  try {
    const options = { temperature, returns: 'logSumExp', latest: 'temperature' };
    const { logSumExp } = await pool.attention(query, key, value, options);
    output.value = logSumExp.data[0].toFixed(4);
  } catch (error) {
    if (error.name !== 'AbortError') throw error; // a newer value came while this one waited
  }
};
