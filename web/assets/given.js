/**
 * Delivery by whoever starts a form: a worker receives the page's kernel in its first message, and a file
 * that is read without a network has what it was given. No asset can be loaded there.
 */

/** Refuses. @returns {Promise<never>} */
export const deliver = () => Promise.reject(new Error('nothing is loaded here'));
