import type { FigureTags } from 'attention-lab/define';
import type { DefineComponent } from 'vue';

type Change<Tag> = Tag extends { 'onattn-change'?: infer Listener }
  ? { onAttnChange?: Listener }
  : unknown;
type Components = {
  [Tag in keyof FigureTags]: DefineComponent<FigureTags[Tag] & Change<FigureTags[Tag]>>;
};

declare module 'vue' {
  interface GlobalComponents extends Components {}
}
