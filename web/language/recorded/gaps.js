/** The gaps below the largest score of a row within which keys were counted, in scaled scores. */
export const GAPS = [0.5, 1, 2, 3, 4, 5, 6, 7, 8];
