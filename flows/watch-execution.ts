import type { PlatformContext } from './context.ts';
import { type ExecutionEnd, readStatus } from './execution-status.ts';
import { pollInterval } from './poll-interval.ts';

export interface ExecutionRecord {
  readonly status: string;
  readonly message?: string | null | undefined;
  readonly startedAt?: string | null | undefined;
  readonly finishedAt?: string | null | undefined;
}

export interface Watched {
  /** `timed-out`: the deadline came first. */
  readonly end: Exclude<ExecutionEnd, 'running'> | 'timed-out';
  readonly record: ExecutionRecord;
}

/** Looks at an execution until it ends or the deadline (epoch milliseconds) comes. Rejects when the signal aborts. */
export async function watchExecution(
  execution: { readonly id: string; readonly name: string; readonly deadline: number },
  context: PlatformContext,
): Promise<Watched> {
  const { client, projectId, clock, random, logger, progress, signal } = context;
  const begun = clock.now();
  let warned = false;
  for (;;) {
    const { result } = await client.executions.get(
      { projectId, pipelineExecutionId: execution.id },
      { signal },
    );
    const { end, known } = readStatus(result);
    if (!known && !warned) {
      warned = true;
      logger.warn(`The status "${result.status}" is not known; going on until the execution has finished.`, {
        execution: execution.id,
      });
    }
    if (end !== 'running') return { end, record: result };
    const left = execution.deadline - clock.now();
    if (left <= 0) return { end: 'timed-out', record: result };
    const age = clock.now() - begun;
    progress.step(`${execution.name}: ${result.status.toLowerCase()} for ${Math.round(age / 1000)} s`);
    await clock.sleep(Math.min(pollInterval(age, random), left), signal);
  }
}
