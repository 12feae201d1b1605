const { createPool } = await import('npm:attention-lab/parallel');
const { randomNormal } = await import('npm:attention-lab');
const pool = createPool();
const x = randomNormal([4, 2048, 64], { seed: 1 });
const { output } = await pool.attention(x, x, x, { causal: true });
display(output.shape);
