/** Millrace's own version; a test compares it with package.json. */
export const version = '0.2.0';

/** The oldest major version of Node that can run Millrace; a test compares it with `engines` of package.json. */
export const neededNode = 24;
