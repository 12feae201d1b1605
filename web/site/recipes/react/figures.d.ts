import type { FigureTags } from 'attention-lab/define';
import type { DetailedHTMLProps, HTMLAttributes } from 'react';

type Tags = {
  [Tag in keyof FigureTags]: FigureTags[Tag] &
    DetailedHTMLProps<HTMLAttributes<HTMLElementTagNameMap[Tag]>, HTMLElementTagNameMap[Tag]>;
};

declare module 'react' {
  namespace JSX {
    interface IntrinsicElements extends Tags {}
  }
}
