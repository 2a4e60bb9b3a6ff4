/**
 * The format of the records in Redis that this version writes, and the newest one that it reads. The README beside this file
 * says when and how to raise it.
 *
 * 2: promotions without what their key, their plan or another field says (id, a version that the plan names, the time of a start
 * at once), and with plans without what has its default value (`stored-plan.ts`).
 */
export const recordFormat = 2;
