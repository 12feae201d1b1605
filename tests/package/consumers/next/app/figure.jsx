'use client';

import 'attention-lab/define';
import { useEffect, useRef, useState } from 'react';

export function Figure() {
  const figure = useRef(null);
  const [heard, hear] = useState('');
  // React attaches no listener to a custom element that came from the server (react/react#35446).
  useEffect(() => {
    const listener = ({ detail }) => hear(String(detail.state.keys));
    const { current } = figure;
    current.addEventListener('attn-change', listener);
    return () => current.removeEventListener('attn-change', listener);
  }, []);
  return (
    <>
      <attn-saturation ref={figure} d-k={128} keys={32} />
      <p id="heard">{heard}</p>
    </>
  );
}
