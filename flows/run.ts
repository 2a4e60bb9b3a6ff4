import { checkOnePipeline } from './check-one-pipeline.ts';
import type { PlatformContext } from './context.ts';
import { executionTag } from './execution-tag.ts';
import { startExecution } from './start-execution.ts';
import { terminateExecution } from './terminate-execution.ts';
import { checkVersionName } from './version-name.ts';
import { type ExecutionRecord, watchExecution } from './watch-execution.ts';

export interface RunRequest {
  readonly pipeline: string;
  readonly environment: string;
  /** The newest enabled version where it is not given (spec §4.4 rule 1). */
  readonly version?: string | undefined;
  /** One that is not given is made from project, environment and pipeline. */
  readonly tag?: string | undefined;
  readonly variables?: Readonly<Record<string, string>> | undefined;
  /** For start and wait together. */
  readonly timeoutMs: number;
  readonly onTimeout: 'terminate' | 'detach';
  readonly onCancel: 'terminate' | 'detach';
  /** When an execution with the tag is running. */
  readonly onConflict: 'fail' | 'wait' | 'skip';
  /** Wait for this execution and start none. */
  readonly attach?: string | undefined;
  /** False: start and go. */
  readonly wait: boolean;
  readonly dryRun: boolean;
  /** Told the execution's id as soon as it is known, so that somebody else can end it if this process cannot. */
  readonly onStarted?: ((executionId: string) => void) | undefined;
}

export interface RunReport {
  /** `nothing-to-do`: the tag was busy and the policy is `skip`. */
  readonly outcome: 'passed' | 'failed' | 'cancelled' | 'nothing-to-do';
  readonly pipeline: string;
  readonly environment: string;
  readonly tag: string;
  readonly executionId?: string;
  readonly status?: string;
  readonly message?: string;
  readonly startedAt?: string;
  readonly finishedAt?: string;
  readonly timedOut: boolean;
  /** True where Millrace ended the execution: after a time-out or a cancel. */
  readonly terminated: boolean;
  readonly dryRun: boolean;
}

/**
 * Runs a published pipeline with an execution tag and waits for its end (spec §4.4). On cancel or time-out the
 * execution is terminated or left running, as the request says.
 * Throws TagConflict, OutcomeUnknown (a start whose answer was lost), and what the client throws.
 */
export async function run(request: RunRequest, context: PlatformContext): Promise<RunReport> {
  const { pipeline, environment, version, dryRun } = request;
  if (version !== undefined) checkVersionName(version);
  if (request.attach === undefined) checkOnePipeline(pipeline);
  const { clock, projectId, progress, signal } = context;
  const tag = request.tag ?? executionTag(projectId, environment, pipeline);
  const deadline = clock.now() + request.timeoutMs;
  const report = { pipeline, environment, tag, timedOut: false, terminated: false, dryRun };
  if (dryRun) return { ...report, outcome: 'passed' };

  progress.step(`Starting ${pipeline} in ${environment}`);
  const id = request.attach ?? (await startExecution(request, { tag, deadline }, context));
  if (id === undefined) return { ...report, outcome: 'nothing-to-do' };
  request.onStarted?.(id);
  const started = { ...report, executionId: id };
  if (!request.wait) return { ...started, outcome: 'passed' };

  try {
    const { end, record } = await watchExecution({ id, name: pipeline, deadline }, context);
    if (end !== 'timed-out') {
      return { ...started, ...factsOf(record), outcome: end === 'succeeded' ? 'passed' : 'failed' };
    }
    const terminated = request.onTimeout === 'terminate' && (await terminateExecution(id, context));
    return { ...started, ...factsOf(record), outcome: 'failed', timedOut: true, terminated };
  } catch (error) {
    if (!signal.aborted) throw error;
    const terminated = request.onCancel === 'terminate' && (await terminateExecution(id, context));
    return { ...started, outcome: 'cancelled', terminated };
  }
}

function factsOf({ status, message, startedAt, finishedAt }: ExecutionRecord) {
  return {
    status,
    ...(message ? { message } : {}),
    ...(startedAt ? { startedAt } : {}),
    ...(finishedAt ? { finishedAt } : {}),
  };
}
