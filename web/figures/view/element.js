// The door to <attn-view>, whose sources are a room of its own: web/inspector.
export * from '../../inspector/view/element.js';
