import type { TestChange } from './data-diff.ts';

/** Whether data of a test changes, its pipeline ends in another way, or that is not known. Others have only a remark. */
export function isChange({ status, tables, end }: TestChange): boolean {
  return status === 'not-compared' || tables.length > 0 || end !== undefined;
}

/** Whether a test could not be compared, or a table of it. */
export function hasUnknown({ status, tables }: TestChange): boolean {
  return status === 'not-compared' || tables.some(({ unknown }) => unknown !== undefined);
}

/** Whether other components of the same pipelines run. The tables may be equal. */
export function runsOthers({ stopped, started }: TestChange): boolean {
  return stopped.length + started.length > 0;
}
