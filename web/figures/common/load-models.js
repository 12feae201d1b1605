// Loads what figures do with trained models: a part of the bundle of one figure, else one file more.

import { load } from '../../assets/import.js';

/** @typedef {typeof import('./models.js')} Models */

const FILE = { 'figures-models': () => import('./models.js') };

/** What the bundle has. @type {Partial<Models>} */
const given = {};

/**
 * Gives the models of a figure, as its bundle does (web/build/forms.js).
 * @template {keyof Models} Name
 * @param {Name} name
 * @param {Models[Name]} models
 */
export const giveModels = (name, models) => {
  Object.assign(given, { [name]: models });
};

/**
 * Loads the models of a figure.
 * @template {keyof Models} Name
 * @param {Name} name
 * @returns {Promise<Models[Name]>}
 */
export const loadModels = async (name) => given[name] ?? (await load(FILE, 'figures-models'))[name];
