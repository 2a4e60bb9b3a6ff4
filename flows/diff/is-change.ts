import type { TestChange } from './data-diff.ts';

/**
 * Whether a test's data changes, its pipeline ends in another way, or the comparison failed. Other entries only
 * have a remark.
 */
export function isChange({ status, tables, end }: TestChange): boolean {
  return status === 'not-compared' || tables.length > 0 || end !== undefined;
}

/** Whether a test, or one of its tables, could not be compared. */
export function hasUnknown({ status, tables }: TestChange): boolean {
  return status === 'not-compared' || tables.some(({ unknown }) => unknown !== undefined);
}

/** Whether other components of the same pipelines run, even if the tables are equal. */
export function runsOthers({ stopped, started }: TestChange): boolean {
  return stopped.length + started.length > 0;
}
