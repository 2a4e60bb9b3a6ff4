import type { FaultWords } from '../faults/fault.ts';
import type { ChangeResult } from '../run/mutate.ts';

/** A change as text: `Greater than → Greater than or equal to`, or `left out: where amount > 0`. */
export function changeText({ before, after }: Pick<FaultWords, 'before' | 'after'>): string {
  return after === '' ? `left out: ${before}` : `${before} → ${after}`;
}

/** A place as text: `daily/load.orch.yaml:42:13`. */
export function placeText({ file, line, column }: Pick<ChangeResult, 'file' | 'line' | 'column'>): string {
  return `${file}:${line}:${column}`;
}
