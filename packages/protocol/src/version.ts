/**
 * The release of unroll that this code belongs to: servers get it, and each thread says which one began it. A test
 * holds it to package.json.
 */
export const unrollVersion = "0.1.0";
