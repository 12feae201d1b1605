import { waitFor } from '@testing-library/dom';
import 'attention-lab/define';
import { expect, test } from 'vitest';

// The first figure compiles the kernel, which takes a busy machine seconds.
const patient = { timeout: 10_000 };

test('the figure shows our numbers, and follows its reader', async () => {
  const figure = document.createElement('attn-saturation');
  figure.dK = 16;
  document.body.append(figure);
  const shown = figure.shadowRoot;
  const text = (part) => shown.querySelector(`[part=${part}]`).textContent;
  await waitFor(() => expect(text('title')).toContain('= 16'), patient);
  expect(text('readout')).toMatch(/0\.\d\d\d/);

  const field = shown.querySelector('input[type=number]');
  field.value = '17';
  field.dispatchEvent(new Event('change'));
  await waitFor(() => expect(text('title')).toContain('= 17'), patient);
  await waitFor(() => expect(figure.getAttribute('d-k')).toBe('17'), patient);
}, 30_000);
