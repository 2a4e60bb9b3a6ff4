import type { SampleDiff } from './sample-diff.ts';

/** Whether data changes, a pipeline ends in another way, or something could not be compared. */
export function isSampleChange({ tables, pipelines }: SampleDiff): boolean {
  return (
    tables.length > 0 || pipelines.some(({ status, end }) => status === 'not-compared' || end !== undefined)
  );
}
