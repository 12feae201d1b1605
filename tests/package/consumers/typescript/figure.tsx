// Tags in JSX, with the types of the recipe, beside it in figures.d.ts.
import type { AttnSaturation } from 'attention-lab/figures';
import { useRef, useState } from 'react';

export function Figure() {
  const figure = useRef<AttnSaturation>(null);
  const [dK, setDK] = useState<number>(9);
  return (
    <div>
      <attn-saturation
        d-k={dK}
        ref={figure}
        className="wide"
        onattn-change={({ detail }) => setDK(detail.state.dK)}
      />
      <attn-saturation d-k="9" keys={32} panels="entropy" compact lang="zh" />
      {/* @ts-expect-error no such scale */}
      <attn-saturation scale="cubic" />
      {/* @ts-expect-error no such attribute */}
      <attn-saturation dk={9} />
    </div>
  );
}
