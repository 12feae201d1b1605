// React 19 sets properties, and knows the events of custom elements.
import 'attention-lab/define';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { answer } from './answer.js';

function App() {
  const [heard, hear] = useState('');
  const listener = ({ detail }) => hear(String(detail.state.keys));
  return (
    <>
      <output>{answer()}</output>
      <attn-saturation dK={128} keys={32} onattn-change={listener} />
      <p id="heard">{heard}</p>
    </>
  );
}

createRoot(document.querySelector('#app')).render(<App />);
