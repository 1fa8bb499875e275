/** The release, as in package.json. A test holds the two together. */
export const version = "0.1.0";
