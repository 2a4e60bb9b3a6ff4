import type { TableDifference } from './difference-of.ts';

/** How a column or a table is not as it was, in a few words. */
export function changeText({
  change,
  before = '',
  after = '',
}: {
  readonly change: TableDifference['change'];
  readonly before?: string | undefined;
  readonly after?: string | undefined;
}): string {
  const texts = {
    created: 'new table',
    dropped: 'no longer created',
    removed: 'removed',
    renamed: `renamed to ${after}`,
    retyped: `${after} instead of ${before}`,
    added: `new: ${after}`,
  };
  return texts[change];
}
