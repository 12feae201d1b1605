// React 18 gives custom elements attributes, and no events of their own.
import 'attention-lab/define';
import { useEffect, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { answer } from './answer.js';

function App() {
  const figure = useRef(null);
  const [heard, hear] = useState('');
  useEffect(() => {
    const listener = ({ detail }) => hear(String(detail.state.keys));
    const { current } = figure;
    current.addEventListener('attn-change', listener);
    return () => current.removeEventListener('attn-change', listener);
  }, []);
  return (
    <>
      <output>{answer()}</output>
      <attn-saturation ref={figure} d-k={128} keys={32} />
      <p id="heard">{heard}</p>
    </>
  );
}

createRoot(document.querySelector('#app')).render(<App />);
