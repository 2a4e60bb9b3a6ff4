import type { PythonOptions } from '../../../engine/index.ts';
import type { Clock } from '../../../lib/core/ports/ports.ts';

/** What the caller decides about a run of tests. */
export interface TestContext {
  /** For durations and time limits. */
  readonly clock: Clock;
  readonly signal: AbortSignal;
  /** Lets Python components run. Only the person who runs the tests can allow it: no test or pipeline can. */
  readonly python?: PythonOptions | undefined;
}
