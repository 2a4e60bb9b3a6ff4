import { isMissingMock } from '../../orchestration/mocks/missing-mock.ts';
import type { Frame, Result } from '../run/run.ts';

/** Whether the execution continues after a component that failed because it needs a mock and has none. */
export function passesUnmocked({ run }: Frame, { refusal }: Result): boolean {
  return run.engine?.passesUnmocked === true && refusal !== undefined && isMissingMock(refusal);
}
