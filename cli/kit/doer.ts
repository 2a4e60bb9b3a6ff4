import { workerName } from '../../lib/config/operator-schema.ts';

/** Who did something, as the dashboard says it too: an operator by name, or the worker by itself. */
export function doerOf(by: string): string {
  return by === workerName ? 'the worker' : by;
}
