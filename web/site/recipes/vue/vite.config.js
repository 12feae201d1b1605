import vue from '@vitejs/plugin-vue';

const isCustomElement = (tag) => tag.startsWith('attn-');

export default {
  plugins: [vue({ template: { compilerOptions: { isCustomElement } } })],
};
