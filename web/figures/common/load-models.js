// Loads what figures do with trained models: a part of the bundle of one figure, else one file more.

import { load } from '../../assets/import.js';

/** @typedef {typeof import('./models.js')} Models */

const FILE = { files: { 'figures-models': () => import('./models.js') } };

/**
 * Loads the models of a figure.
 * @template {keyof Models} Name
 * @param {Name} name
 * @returns {Promise<Models[Name]>}
 */
export const loadModels = async (name) => (await load(FILE, 'figures-models'))[name];
