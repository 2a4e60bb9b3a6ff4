import type { FailedComponent } from '../run/execution-state.ts';
import type { Frame, Run } from '../run/run.ts';

/**
 * Whether a component should run again, because something that was missing now exists. It was created after this
 * failure, or after a failure in another branch since the component started.
 * @param since the number of repairs when the component started
 */
export function isRepaired(failed: FailedComponent, { run }: Frame, since: number): Promise<boolean> {
  const done = run.repairs.last.then(() => repair(failed, run, since));
  run.repairs.last = done.catch(() => undefined);
  return done;
}

async function repair(failed: FailedComponent, run: Run, since: number): Promise<boolean> {
  if (run.repairs.count > since) return true;
  if ((await run.engine?.repair?.(failed)) !== true) return false;
  run.repairs.count += 1;
  return true;
}
