/**
 * One measured or predicted number, tidy: figures show it in a table and save it as CSV.
 * @typedef {object} TidyRow
 * @property {string} panel title of the panel, which names the number
 * @property {string} series
 * @property {number} x
 * @property {string} [across] the name of x in the table
 * @property {string} [name] of what x counts, as a token
 * @property {number} [measured]
 * @property {number} [low] lower end of the spread that the figure's caption names
 * @property {number} [high] upper end
 * @property {number} [theory]
 */
export {};
