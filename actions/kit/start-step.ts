import { errorOf, messageOf } from '../../lib/core/errors/message-of.ts';
import { saveState, setOutput, setSecret } from '@actions/core';
import { createRedactor, secretForms } from '../../lib/core/text/redactor.ts';
import type { FlowContext } from '../../flows/context/context.ts';
import { debugCommand } from '../../lib/report/annotations.ts';
import { logLine } from '../../lib/report/annotations.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import { missingTemporaryFolder } from '../../lib/core/files/temporary-folder.ts';
import { type ExitCode, exitCodeOf, exitCodes } from '../../lib/core/outcomes/outcome.ts';
import { systemClock } from '../../lib/core/ports/system-clock.ts';
import type { Action, InputShape, StepResult } from './step/action.ts';
import { failedAnnotation, failureAnnotation, failureResult } from './step/failure-result.ts';
import { finishStep } from './step/finish-step.ts';
import { readInputs, secretInputs } from './inputs/read-inputs.ts';
import { readRunnerFacts } from './step/runner-facts.ts';
import type { Environment, Step } from './step/step.ts';
import { createWaitingLog, type WaitingLog } from './step/waiting-log.ts';

/** Variables that may contain secrets. */
const secretNames = [
  'MILLRACE_TOKEN',
  'MILLRACE_CLIENT_SECRET',
  'MILLRACE_ID_TOKEN',
  'ACTIONS_ID_TOKEN_REQUEST_TOKEN',
  'MILLRACE_GITHUB_TOKEN',
  'GITHUB_TOKEN',
] as const;

/** The parts of the process that a step needs. The entry file passes it. */
export interface StepProcess {
  readonly env: Environment;
  readonly stdout: { write(text: string): unknown };
  exitCode?: number | string | null | undefined;
  on(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
}

/**
 * Runs one action from its inputs to its exit code. It masks secrets first, always writes outputs and summary, and sets the
 * exit code of the outcome (lib/core/outcomes/outcome.ts).
 */
export async function startStep<Shape extends InputShape>(
  action: Action<Shape>,
  process: StepProcess,
): Promise<void> {
  const { env } = process;
  const secrets = [...secretInputs(action.inputs.shape, env), ...secretVariables(env)];
  for (const form of secrets.flatMap(secretForms)) setSecret(form);
  const redactor = createRedactor(secrets);
  const redact = redactor.text;
  const mask = (secret: string): void => {
    redactor.addRotating(secret);
    for (const form of secretForms(secret)) setSecret(form);
  };
  let annotated = false;
  const command = (line: string): void => {
    annotated ||= line.startsWith('::error');
    process.stdout.write(`${redact(line)}\n`);
  };
  // Mask before lines are joined: otherwise a secret with a line break is not recognized.
  const waiting = createWaitingLog((text) => command(logLine(redact(text))));
  const { log } = waiting;
  const debug =
    env['RUNNER_DEBUG'] === '1' ? (text: string) => command(debugCommand(logLine(redact(text)))) : undefined;
  const record = (name: string, value: string): void => {
    saveState(name, redact(value));
    setOutput(name, redact(value));
  };
  const cancel = new AbortController();
  const reason = new Failure('cancelled', { message: 'The workflow run was cancelled.' });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => cancel.abort(reason));

  const failed = (
    failure: Failure,
    partialResult?: StepResult,
  ): { result: StepResult; exitCode: ExitCode } => {
    if (needsAnnotation(failure)) command(failureAnnotation(failure));
    return { result: failureResult(action.title, failure, partialResult), exitCode: failure.exitCode };
  };
  const perform = async (): Promise<{ result: StepResult; exitCode: ExitCode }> => {
    try {
      const context = contextOf(waiting, debug, cancel.signal);
      const step: Step = {
        facts: readRunnerFacts(env),
        environment: env,
        context,
        redact,
        mask,
        log,
        command,
        record,
      };
      const result = await action.run(readInputs(action.inputs, env), step);
      if (result.failure !== undefined) return failed(result.failure, result);
      return { result, exitCode: exitCodeOf(result.report.outcome) };
    } catch (error) {
      return failed(cancel.signal.aborted ? asCancelled(error, reason) : asFailure(error, log));
    }
  };
  const { result, exitCode } = await perform();
  waiting.stop();
  process.exitCode = exitCode;
  try {
    await finishStep(action.name, result, { environment: env, redact, log, command });
    const shown = annotated || result.delivery?.checkUrl !== undefined;
    if (exitCode !== exitCodes.done && exitCode !== exitCodes.cancelled && !shown)
      command(failedAnnotation(result));
  } catch (cause) {
    const failure = reportFailure(cause);
    command(failureAnnotation(failure));
    // The outcome of the action has precedence over the failed write.
    if (exitCode === 0) process.exitCode = failure.exitCode;
  }
}

function contextOf(
  { log, step }: Pick<WaitingLog, 'log' | 'step'>,
  debug: ((text: string) => void) | undefined,
  signal: AbortSignal,
): FlowContext {
  const lineOf = (message: string, fields?: Record<string, unknown>): string =>
    `${message}${fields === undefined ? '' : ` ${JSON.stringify(fields)}`}`;
  const at = (level: string) => (message: string, fields?: Record<string, unknown>) =>
    log(`${level}: ${lineOf(message, fields)}`);
  return {
    clock: systemClock,
    random: Math.random,
    logger: {
      debug: (...line) => debug?.(lineOf(...line)),
      info: at('info'),
      warn: at('warning'),
      error: at('error'),
    },
    progress: { step },
    signal,
  };
}

/** A cancel needs no annotation, unless the effect of a call is unknown. */
function needsAnnotation(failure: Failure): boolean {
  return failure.exitCode !== exitCodes.cancelled || ('isUnknown' in failure && failure.isUnknown === true);
}

/** A cancel during a call whose effect is unknown keeps its own failure, because a person must check the effect. */
const keptExitCodes: ReadonlySet<ExitCode> = new Set([exitCodes.cancelled, exitCodes.unknown]);

function asCancelled(error: unknown, reason: Failure): Failure {
  return error instanceof Failure && keptExitCodes.has(error.exitCode) ? error : reason;
}

/** A defect of Millrace is logged with its stack. A mistake of the user is not. */
function asFailure(error: unknown, log: (text: string) => void): Failure {
  if (error instanceof Failure) return error;
  const missing = missingTemporaryFolder(error);
  if (missing !== undefined) return missing;
  const { stack, message } = errorOf(error);
  for (const line of (stack ?? message).split('\n')) log(line);
  return new Failure('internal', { message: `Internal error: ${message}`, cause: error });
}

/** Why a step could not write its report. */
function reportFailure(cause: unknown): Failure {
  if (cause instanceof Failure) return cause;
  return new Failure('storage-failed', {
    message: `Cannot write the report: ${messageOf(cause)}`,
    hint: 'Check the free space and the permissions of the runner’s temporary folder. The action itself did its work; only the report is missing.',
    cause,
  });
}

function secretVariables(environment: Environment): string[] {
  return secretNames.flatMap((name) => {
    const value = environment[name]?.trim() ?? '';
    return value === '' ? [] : [value];
  });
}
