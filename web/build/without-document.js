// The two names of a document that lit needs before it draws. A worker, which has neither, imports a bundle
// of figures for the package in it; lit's own stand-ins are for rendering on a server, and 3 kB.

export const HTMLElement = globalThis.HTMLElement ?? class {};
export const { customElements } = globalThis;
