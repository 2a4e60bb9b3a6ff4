import { messageOf } from '../../lib/core/errors/message-of.ts';
import { resolveCall } from '../../lib/pipelines/model/calls.ts';
import {
  type PipelineDocument,
  readPipeline,
  unreadPipeline,
} from '../../lib/pipelines/model/read-pipeline.ts';
import { Refusal, SqlError } from '../core/refusal.ts';
import { WarehouseUnavailable } from '../duckdb/connection/load-duckdb.ts';
import { WarehouseNotOpened } from '../duckdb/connection/not-opened.ts';
import { createScript } from './simulate/create-script.ts';
import { endMessage } from './run/end-message.ts';
import type { EngineSettings } from './run/engine-settings.ts';
import type {
  Execution,
  ExecutionRequest,
  PublishedFiles,
  ExecutionLimits,
} from './run/execution-request.ts';
import {
  type ExecutionState,
  type ExecutionStatus,
  type FailedComponent,
  isTerminal,
} from './run/execution-state.ts';
import { projectCells } from './run/pipeline-variables.ts';
import { failure, type Result, type Run, stopped } from './run/run.ts';
import { runComponent } from './walk/run-component.ts';
import { givenByRequest, runPipeline } from './walk/run-pipeline.ts';
import { openStepLog } from './run/step-log.ts';

/** The default limits. They are above the needs of any real project, and low enough for the machine. */
const defaultLimits: ExecutionLimits = {
  depth: 30,
  steps: 10_000,
  repeats: 100,
  iterations: 1_000,
  keptSteps: 1_000,
};

/**
 * Starts an execution and returns at once. The status is QUEUED, then RUNNING, and finally SUCCESS, FAILED or
 * CANCELLED. Never throws: a problem of the pipeline ends the execution. The control flow is always executed. What a
 * component does is simulated unless there is a warehouse (spec §3.2, §4.4; for questions that the specification
 * leaves open, see unknowns §2).
 */
export function startExecution(request: ExecutionRequest): Execution {
  const { clock, pipeline, environment } = request;
  const limits = { ...defaultLimits, ...request.limits };
  const forced = new AbortController();
  const asked = new AbortController();
  const log = openStepLog(clock, limits.keptSteps, () => notify('step'));
  let head: Omit<ExecutionState, 'steps' | 'droppedSteps'> = {
    id: request.id,
    pipeline,
    environment,
    status: 'QUEUED',
    message: 'Queued.',
    startedAt: null,
    finishedAt: null,
  };
  const run: Run = {
    request,
    limits,
    script: 'take' in request.script ? request.script : createScript(request.script),
    log,
    project: projectCells(request.projectVariables),
    forced: forced.signal,
    engine: undefined,
    stopping: false,
    fatal: undefined,
    components: 0,
    failures: [],
    repairs: { count: 0, last: Promise.resolve() },
    called: new Set(),
    mocked: 0,
    variables: undefined,
    assumed: new Set(),
    read: reader(),
  };

  const state = (): ExecutionState => ({ ...head, steps: log.steps(), droppedSteps: log.dropped() });

  function notify(changed: 'status' | 'step'): void {
    try {
      request.onChange(state(), changed);
    } catch (error) {
      // If the state cannot be stored, the execution must not continue.
      run.fatal ??= `The execution could not be recorded: ${messageOf(error)}.`;
    }
  }

  function become(status: ExecutionStatus, message: string, failed?: FailedComponent): void {
    const now = new Date(clock.now()).toISOString();
    const startedAt = status === 'RUNNING' ? now : head.startedAt;
    head = { ...head, status, message, failed, startedAt, finishedAt: isTerminal(status) ? now : null };
    notify('status');
  }

  async function walk(): Promise<Result> {
    // The caller receives the execution before its first change.
    await Promise.resolve();
    const { queueTimeMs = 0 } = request;
    if (queueTimeMs > 0) {
      await clock.sleep(queueTimeMs, asked.signal).catch((error: unknown) => {
        if (!asked.signal.aborted) throw error;
      });
    }
    if (run.stopping) return stopped;
    run.engine = await openEngine(request, forced.signal);
    if (run.stopping) return stopped;
    const simulated = run.engine === undefined ? ' (simulated)' : '';
    become('RUNNING', `Running "${pipeline}" in environment "${environment}"${simulated}.`);
    const path = resolveCall(pipeline, { has: (name) => request.paths.includes(name) });
    if (path === undefined) return failure(`This version has no pipeline with the path "${pipeline}".`);
    const call = { published: request, path, values: givenByRequest(request), caller: undefined };
    return runPipeline(run, call, runComponent);
  }

  async function end(): Promise<ExecutionState> {
    const result = await walk().catch((error: unknown) => failure(reasonOf(error, environment)));
    const last = endMessage(run, result);
    become(last.status, last.message, last.status === 'FAILED' ? result.failed : undefined);
    return state();
  }

  return {
    state,
    variables: () => run.variables?.all() ?? new Map(),
    failures: () => [...run.failures],
    called: () => [...run.called],
    ended: end(),
    terminate(force) {
      if (isTerminal(head.status)) return;
      run.stopping = true;
      if (head.status !== 'CANCELLING') {
        become(
          'CANCELLING',
          force
            ? 'Stopping. Running components are cancelled.'
            : 'Stopping. Running components run to their end, and no new component starts.',
        );
      }
      asked.abort();
      if (force) forced.abort();
    },
  };
}

function reasonOf(error: unknown, environment: string): string {
  const message = messageOf(error);
  const isKnown = error instanceof WarehouseNotOpened || error instanceof WarehouseUnavailable;
  return isKnown
    ? `The warehouse of the environment "${environment}" could not be opened: ${message}.`
    : `Millrace failed because of an internal error: ${message}.`;
}

/** The warehouse with the statements of this execution only; the default schema exists. */
async function openEngine(
  { engine, clock }: ExecutionRequest,
  signal: AbortSignal,
): Promise<EngineSettings | undefined> {
  const settings = typeof engine === 'function' ? await engine() : engine;
  if (settings === undefined) return undefined;
  const warehouse = settings.warehouse.abortable(signal, () => clock.now());
  try {
    await warehouse.createSchema(settings.defaults.database, settings.defaults.schema);
  } catch (error) {
    throw error instanceof SqlError || error instanceof Refusal
      ? new WarehouseNotOpened(error.message)
      : error;
  }
  return { ...settings, warehouse };
}

/** Reads every file of every version once. */
function reader(): Run['read'] {
  const cache = new WeakMap<PublishedFiles, Map<string, PipelineDocument>>();
  return (published, path) => {
    if (published.parsed !== undefined) return published.parsed(path);
    const documents = cache.get(published) ?? new Map<string, PipelineDocument>();
    cache.set(published, documents);
    const before = documents.get(path);
    if (before !== undefined) return before;
    const document = parse(published, path);
    if (document !== undefined) documents.set(path, document);
    return document;
  };
}

function parse({ files }: PublishedFiles, path: string): PipelineDocument | undefined {
  try {
    const text = files(path);
    return text === undefined ? undefined : readPipeline(path, text);
  } catch (error) {
    if (!(error instanceof SqlError) || error.place === undefined) throw error;
    const { line, column } = error.place;
    return unreadPipeline(path, error.message, { line, column, endLine: line, endColumn: column });
  }
}
