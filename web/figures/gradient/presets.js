/** The logits to choose from in <attn-gradient>. */
export const PRESETS = { peak: '50, 1, 1, 1', rivals: '50, 49, 1, 1', even: '1, 1, 1, 1' };
