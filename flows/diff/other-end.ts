import type { PipelineEnd } from './data-diff.ts';

/** A place in a file, such as `sql/load.sql:3:5` or `(main.orch.yaml:19)`: it moves with lines that mean nothing. */
const places = /[^\s"'(]+\.\w+:\d+(?::\d+)?/g;

/** Whether a pipeline ends in another way: it fails and did not, or it fails elsewhere or for another reason. */
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
