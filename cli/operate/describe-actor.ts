import { workerName } from '../../lib/config/worker/operator-schema.ts';

/** The name of the operator who did something, or "the worker". The dashboard uses the same words. */
export function describeActor(by: string): string {
  return by === workerName ? 'the worker' : by;
}
