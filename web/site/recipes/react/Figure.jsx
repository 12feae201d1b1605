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
      <attn-saturation ref={figure} d-k={dK} lang="en">
        <img
          src="https://example.org/pictures/saturation-en-light.svg"
          alt="Softmax saturation against d_k"
        />
      </attn-saturation>
      <output>{dK}</output>
    </div>
  );
}
