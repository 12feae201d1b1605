// The two names of a document that lit needs before it draws. A worker, which has neither, imports a
// bundle of figures for the package in it; the substitutes of lit are for rendering on a server, and
// take 3 kB.

export const HTMLElement = globalThis.HTMLElement ?? class {};
export const { customElements } = globalThis;
