import { type FailedComponent, isMissingMock } from '../../engine/index.ts';
import type { TestRun } from './test-run.ts';

/**
 * The components that would need a mock after those that need one in `failures`: a run that continues after each finds
 * them, so that a person can add all mocks at once.
 */
export async function furtherMissingMocks(
  failures: readonly FailedComponent[],
  runPassingUnmocked: () => Promise<TestRun>,
): Promise<readonly FailedComponent[]> {
  if (!failures.some(isUnmocked)) return [];
  const run = await runPassingUnmocked();
  const keyOf = ({ pipeline, component }: FailedComponent) => JSON.stringify([pipeline, component]);
  const known = new Set(failures.map(keyOf));
  return run.failures.filter((failure) => isUnmocked(failure) && !known.has(keyOf(failure)));
}

function isUnmocked({ refusal }: FailedComponent): boolean {
  return refusal !== undefined && isMissingMock(refusal);
}
