import type { PipelineEnd } from './data-diff.ts';

/** A place in a file, such as `sql/load.sql:3:5` or `(main.orch.yaml:19)`. It moves when unrelated lines are added or removed. */
const places = /[^\s"'(]+\.\w+:\d+(?::\d+)?/g;

/**
 * Whether a pipeline ends in another way: only one side fails, or both fail at different places or for different
 * reasons.
 */
export function isOtherEnd(before: PipelineEnd, after: PipelineEnd): boolean {
  return (
    before.status !== after.status ||
    before.component !== after.component ||
    withoutPlaces(before) !== withoutPlaces(after)
  );
}

function withoutPlaces({ message = '' }: PipelineEnd): string {
  return message.replaceAll(places, '');
}
