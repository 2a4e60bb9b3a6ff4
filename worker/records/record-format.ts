/**
 * The format of the records in Redis that this version writes, and the newest one that it reads. The README beside this file
 * says when and how to raise it.
 *
 * 2: promotions without what their key, their task or another field says (id, a version that the task names, the time of a start
 * at once), and with tasks without what has its default value (`stored-task.ts`).
 * 3: the field `plan` of a promotion is `task`, and `lastPlanned` of a lane `lastAccepted`.
 */
export const recordFormat = 3;
