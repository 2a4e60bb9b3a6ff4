import type { PlatformContext } from './context.ts';
import { readStatus } from './execution-status.ts';
import { executionTag } from './execution-tag.ts';
import { startExecution } from './start-execution.ts';
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

/** GitHub kills a cancelled step after ten seconds: the request that terminates has to be through before. */
const terminateWithinMs = 5_000;

/**
 * Runs a published pipeline with an execution tag and waits for its end (spec §4.4). On cancel or time-out the
 * execution is terminated or left running, as the request says.
 * Throws TagConflict, OutcomeUnknown (a start whose answer was lost), and what the client throws.
 */
export async function run(request: RunRequest, context: PlatformContext): Promise<RunReport> {
  const { pipeline, environment, version, dryRun } = request;
  if (version !== undefined) checkVersionName(version);
  const { clock, projectId, progress, signal } = context;
  const tag = request.tag ?? executionTag(projectId, environment, pipeline);
  const deadline = clock.now() + request.timeoutMs;
  const report = { pipeline, environment, tag, timedOut: false, terminated: false, dryRun };
  if (dryRun) return { ...report, outcome: 'passed' };

  progress.step(`Starting ${pipeline} in ${environment}`);
  const id = request.attach ?? (await startExecution(request, { tag, deadline }, context));
  if (id === undefined) return { ...report, outcome: 'nothing-to-do' };
  const started = { ...report, executionId: id };
  if (!request.wait) return { ...started, outcome: 'passed' };

  try {
    const { end, record } = await watchExecution({ id, name: pipeline, deadline }, context);
    if (end !== 'timed-out') {
      return { ...started, ...factsOf(record), outcome: end === 'succeeded' ? 'passed' : 'failed' };
    }
    const terminated = request.onTimeout === 'terminate' && (await terminate(id, context));
    return { ...started, ...factsOf(record), outcome: 'failed', timedOut: true, terminated };
  } catch (error) {
    if (!signal.aborted) throw error;
    const terminated = request.onCancel === 'terminate' && (await terminate(id, context));
    return { ...started, outcome: 'cancelled', terminated };
  }
}

/**
 * Terminates an execution; false where it could not be said to the platform. The user's signal has aborted
 * already, so the request has a time limit of its own.
 */
async function terminate(
  id: string,
  { client, projectId, logger, progress }: PlatformContext,
): Promise<boolean> {
  progress.step(`Terminating execution ${id}`);
  const signal = AbortSignal.timeout(terminateWithinMs);
  try {
    await client.executions.terminate(
      { projectId, pipelineExecutionId: id, status: 'CANCELLED', forceUpdate: true },
      { signal },
    );
    return true;
  } catch (error) {
    const ended = await hasEnded(id, { client, projectId, signal });
    if (!ended)
      logger.error(`The execution ${id} could not be terminated; look at it.`, { error: String(error) });
    return ended;
  }
}

/** A run that ended by itself in the meantime needs no termination. */
async function hasEnded(
  id: string,
  { client, projectId, signal }: Pick<PlatformContext, 'client' | 'projectId' | 'signal'>,
): Promise<boolean> {
  try {
    const { result } = await client.executions.get({ projectId, pipelineExecutionId: id }, { signal });
    return readStatus(result).end !== 'running';
  } catch {
    return false;
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
