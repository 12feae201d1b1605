import type { FigureTags } from 'attention-lab/define';
import type { HTMLAttributes } from 'svelte/elements';

type Tags = {
  [Tag in keyof FigureTags]: FigureTags[Tag] & HTMLAttributes<HTMLElementTagNameMap[Tag]>;
};

declare module 'svelte/elements' {
  interface SvelteHTMLElements extends Tags {}
}
