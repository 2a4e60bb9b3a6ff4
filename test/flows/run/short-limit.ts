import type { PlatformContext } from '../../../flows/context/context.ts';
import type { RunRequest } from '../../../flows/run/run-request.ts';

/** How long the start of an execution may take: on a busy machine it takes longer than these tests wait. */
const startMs = 60_000;

/**
 * A request and a context whose time limit ends `ms` after the execution has started: until then a minute is added to it.
 */
export function shortLimit(
  request: RunRequest,
  context: PlatformContext,
  ms: number,
): readonly [RunRequest, PlatformContext] {
  let passed = 0;
  const onStarted = () => {
    passed = startMs;
  };
  const { clock } = context;
  return [
    { ...request, timeoutMs: startMs + ms, onStarted },
    { ...context, clock: { now: () => clock.now() + passed, sleep: clock.sleep } },
  ];
}
