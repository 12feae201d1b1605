// Loads the program of a saved page, from a separate file.
export const loadProgram = () => import('./generated/program.js');
