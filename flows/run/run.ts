import { Failure } from '../../lib/core/errors/failure.ts';
import type { PlatformContext } from '../context/context.ts';
import { attachCommand } from './attach-command.ts';
import { describeExecution } from './describe-execution.ts';
import { readStatus } from './execution-status.ts';
import { executionTag } from './execution-tag.ts';
import type { RunRequest } from './run-request.ts';
import { startExecution } from './start-execution.ts';
import { terminateExecution, timeoutTerminationMs } from './terminate-execution.ts';
import { validateVersionName } from '../versions/version-name.ts';
import { type ExecutionRecord, lastPollMs, type Watched, watchExecution } from './watch-execution.ts';

export interface RunReport {
  /**
   * `nothing-to-do`: the tag was busy and `onConflict` is `skip`. `indeterminate`: the state of the execution is
   * unknown, or it could not be terminated after the time limit.
   */
  readonly outcome: 'passed' | 'failed' | 'cancelled' | 'nothing-to-do' | 'indeterminate';
  /** Absent if the execution was attached and the caller did not name it. */
  readonly pipeline?: string;
  /** Absent if the execution was attached and the caller did not name it. */
  readonly environment?: string;
  /** Absent if the execution was attached and the caller gave no tag: the API does not show the tag of an execution. */
  readonly tag?: string;
  readonly executionId?: string;
  readonly status?: string;
  readonly message?: string;
  readonly startedAt?: string;
  readonly finishedAt?: string;
  readonly timedOut: boolean;
  /** True if Millrace terminated the execution, after a time-out or a cancel. */
  readonly terminated: boolean;
  /** Why the outcome is `indeterminate`. */
  readonly problem?: string;
  /** How to fix it; present if the execution may still be running. */
  readonly hint?: string;
  readonly dryRun: boolean;
}

/**
 * Runs a published pipeline with an execution tag and waits for its end (spec §4.4). On cancel or time-out the
 * execution is terminated or left running, as the request says. Temporary errors while polling are retried: after the
 * start, no error is thrown that a caller could mistake for "try again".
 * Throws TagConflict, Failure 'outcome-unknown' (a start whose answer was lost), and what the client throws for a
 * start, or for an attached execution that was never found.
 */
export async function run(request: RunRequest, context: PlatformContext): Promise<RunReport> {
  const { pipeline, environment, version, dryRun, attach } = request;
  if (version !== undefined) validateVersionName(version);
  const start = attach === undefined ? startOf(request, context.projectId) : undefined;
  const { clock, progress, signal } = context;
  // The tag of an attached execution is unknown.
  const tag = start?.tag ?? request.tag;
  const deadline = clock.now() + request.timeoutMs;
  const report = {
    ...(pipeline === undefined ? {} : { pipeline }),
    ...(environment === undefined ? {} : { environment }),
    ...(tag === undefined ? {} : { tag }),
    timedOut: false,
    terminated: false,
    dryRun,
  };
  if (dryRun)
    return { ...report, ...(attach === undefined ? {} : { executionId: attach }), outcome: 'passed' };

  let id = attach;
  if (start !== undefined) {
    request.onStarting?.(start.tag);
    progress.step(`Starting ${describeExecution(start)}`);
    id = await startExecution(request, { ...start, deadline }, context);
  }
  if (id === undefined) return { ...report, outcome: 'nothing-to-do' };
  request.onStarted?.(id);
  const started: Started = { ...report, executionId: id };
  if (!request.wait) return { ...started, outcome: 'passed' };

  let watched: Watched;
  try {
    watched = await watchExecution(
      { id, name: pipeline ?? `execution ${id}`, deadline, attached: attach !== undefined },
      context,
    );
  } catch (error) {
    if (!signal.aborted) throw error;
    const left = { ...started, outcome: 'cancelled' as const };
    if (request.onCancel === 'detach') return { ...left, hint: hintOf(request, id) };
    const { terminated, ended } = await terminateExecution(id, context);
    return terminated || ended !== undefined
      ? { ...left, ...(ended === undefined ? {} : factsOf(ended)), terminated: true }
      : { ...left, hint: hintOf(request, id) };
  }
  const { end, record, pollError } = watched;
  if (end === 'timed-out') return finishAtTimeLimit(request, started, watched, context);
  if (end === 'lost') {
    const problem = `its status cannot be read: ${pollError ?? ''}`;
    return { ...started, ...factsOf(record), outcome: 'indeterminate', problem, hint: hintOf(request, id) };
  }
  return reportEnd(started, record);
}

/** Throws Failure 'usage' if pipeline or environment is missing, or if more than one pipeline is given. */
function startOf(
  { pipeline, environment, tag }: RunRequest,
  projectId: string,
): { readonly pipeline: string; readonly environment: string; readonly tag: string } {
  if (pipeline === undefined) throw notGiven('pipeline');
  if (environment === undefined) throw notGiven('environment');
  validateSinglePipeline(pipeline);
  return { pipeline, environment, tag: tag ?? executionTag(projectId, environment, pipeline) };
}

function notGiven(input: 'pipeline' | 'environment'): Failure {
  return new Failure('usage', {
    message: `The ${input} is not given.`,
    where: { input },
    hint: 'Give a pipeline and an environment: `millrace run daily/load --environment test` (in the action: the inputs pipeline and environment). To wait for an execution that was already started, give only its id: `millrace run --attach <id>` (input attach).',
  });
}

type Started = Omit<RunReport, 'outcome'> & { readonly executionId: string };

/** Handles the time limit: terminates or leaves the execution, and polls once more if its state is unknown. */
async function finishAtTimeLimit(
  request: RunRequest,
  started: Started,
  { record: lastSeen, pollError }: Watched,
  context: PlatformContext,
): Promise<RunReport> {
  const { executionId: id } = started;
  const detach = request.onTimeout === 'detach';
  const { terminated, ended } = detach
    ? { terminated: false, ended: undefined }
    : await terminateExecution(id, context, timeoutTerminationMs);
  if (ended !== undefined) return reportEnd(started, ended);
  const timedOut = { ...started, timedOut: true, terminated };
  const isSure = pollError === undefined && (detach || terminated);
  const record = isSure ? lastSeen : await pollOnce(id, context);
  if (record !== undefined && !terminated && readStatus(record).end !== 'running')
    return reportEnd(started, record);
  const facts = factsOf(record ?? lastSeen);
  if (record !== undefined && (terminated || detach)) {
    return { ...timedOut, ...facts, outcome: 'failed', ...(terminated ? {} : { hint: hintOf(request, id) }) };
  }
  const problem =
    record === undefined
      ? `its status could not be read within the time limit: ${pollError ?? 'the platform does not answer'}`
      : 'it did not end within the time limit and could not be terminated';
  return { ...timedOut, ...facts, outcome: 'indeterminate', problem, hint: hintOf(request, id) };
}

async function pollOnce(
  id: string,
  { client, projectId }: PlatformContext,
): Promise<ExecutionRecord | undefined> {
  try {
    const input = { projectId, pipelineExecutionId: id };
    return (await client.executions.get(input, { deadlineMs: lastPollMs })).result;
  } catch {
    return undefined;
  }
}

function reportEnd(started: Started, record: ExecutionRecord | undefined): RunReport {
  const succeeded = record !== undefined && readStatus(record).end === 'succeeded';
  return { ...started, ...factsOf(record), outcome: succeeded ? 'passed' : 'failed' };
}

function hintOf(request: RunRequest, id: string): string {
  return `The execution may still be running. Do not start it again before it has ended. To wait for it: ${attachCommand(request, id)} (the action’s input \`attach\`).`;
}

function factsOf(record: ExecutionRecord | undefined): Partial<RunReport> {
  if (record === undefined) return {};
  const { status, message, startedAt, finishedAt } = record;
  return {
    status,
    ...(message ? { message } : {}),
    ...(startedAt ? { startedAt } : {}),
    ...(finishedAt ? { finishedAt } : {}),
  };
}

/** Throws Failure 'usage' if the pipeline of an execution is a folder or a glob. */
function validateSinglePipeline(pipeline: string): void {
  if (!pipeline.endsWith('/') && !pipeline.includes('*')) return;
  throw new Failure('usage', {
    message: `"${pipeline}" is a ${pipeline.includes('*') ? 'glob' : 'folder'}, but an execution runs one pipeline.`,
    where: { input: 'pipeline' },
    hint: 'Give the path of one pipeline in the project, such as daily/load.',
  });
}
