/**
 * The format of the records in Redis that this version writes, and the newest one that it reads. The README beside this file
 * says when and how to raise it.
 */
export const recordFormat = 1;
