// Computed on the server; the figure's module is imported there too, and registers in the browser.
import { answer } from './answer.js';
import { Figure } from './figure.jsx';

export default function Page() {
  return (
    <main>
      <output>{answer()}</output>
      <Figure />
    </main>
  );
}
