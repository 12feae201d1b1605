import 'attention-lab/define';
import { useEffect, useRef, useState } from 'react';

export function Figure() {
  const figure = useRef(null);
  const [dK, setDK] = useState(9);
  useEffect(() => {
    const { current } = figure;
    const listener = ({ detail }) => setDK(detail.state.dK);
    current.addEventListener('attn-change', listener);
    return () => current.removeEventListener('attn-change', listener);
  }, []);
  return (
    <div>
      <attn-saturation ref={figure} d-k={dK} lang="en" />
      <output>{dK}</output>
    </div>
  );
}
