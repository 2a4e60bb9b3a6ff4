import { setOutput, setSecret, summary } from '@actions/core';
import { redactor } from '../config/redactor.ts';
import type { FlowContext } from '../flows/index.ts';
import { annotationCommands } from '../github/annotation-commands.ts';
import { logLine } from '../github/foreign-text.ts';
import { reportMarkdown } from '../github/report-markdown.ts';
import { Failure } from '../model/failure.ts';
import { type ExitCode, exitCodeOf } from '../model/outcome.ts';
import { systemClock } from '../model/system-clock.ts';
import type { Action, InputShape, StepResult } from './action.ts';
import { failureAnnotation, failureResult } from './failure-result.ts';
import { readInputs, secretInputs } from './read-inputs.ts';
import { readRunnerFacts } from './runner-facts.ts';
import { maskForms, secretVariables } from './secrets.ts';
import type { Environment, RunnerFacts, Step } from './step.ts';
import { writeReports } from './write-reports.ts';

/** The process as far as a step needs it; the entry file hands it in. */
export interface StepProcess {
  readonly env: Environment;
  readonly stdout: { write(text: string): unknown };
  exitCode?: number | string | null | undefined;
  on(signal: 'SIGINT' | 'SIGTERM', listener: () => void): unknown;
}

const summaryLimit = 1_000_000;

/**
 * Runs one action from its inputs to its exit code: secrets are masked first, outputs and summary are written whatever
 * happens, and the exit code says how it ended (model/outcome.ts).
 */
export async function startStep<Shape extends InputShape>(
  action: Action<Shape>,
  process: StepProcess,
): Promise<void> {
  const { env } = process;
  const secrets = [...secretInputs(action.inputs.shape, env), ...secretVariables(env)];
  for (const form of secrets.flatMap(maskForms)) setSecret(form);
  const redact = redactor(secrets);
  const command = (line: string): void => void process.stdout.write(`${redact(line)}\n`);
  const log = (text: string): void => command(logLine(text));
  const cancel = new AbortController();
  const reason = new Failure('cancelled', { message: 'The run was cancelled.' });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => cancel.abort(reason));

  let facts: RunnerFacts | undefined;
  let result: StepResult;
  let exitCode: ExitCode;
  try {
    facts = readRunnerFacts(env);
    const context = contextOf(log, cancel.signal);
    const step: Step = { facts, environment: env, context, log, command };
    result = await action.run(readInputs(action.inputs, env), step);
    exitCode = exitCodeOf(result.report.outcome);
    if (result.delivery === undefined) {
      for (const line of annotationCommands(result.report.findings, { rest: 'in the job summary' }))
        command(line);
    }
  } catch (error) {
    const failure = cancel.signal.aborted ? reason : asFailure(error);
    if (failure.code === 'internal')
      log(error instanceof Error ? (error.stack ?? error.message) : String(error));
    command(failureAnnotation(failure));
    result = failureResult(action.title, failure);
    exitCode = failure.exitCode;
  }

  const { report, delivery, outputs, details } = result;
  const markdown = redact(delivery?.summary ?? reportMarkdown(report, { limit: summaryLimit }));
  log(`${report.title}: ${report.outcome}. ${report.headline}`);
  for (const note of report.notes) log(`note: ${note}`);
  const json = redact(
    JSON.stringify({ action: action.name, outcome: report.outcome, ...asRecord(details) }, null, 2),
  );
  const paths = writeReports(action.name, facts, { markdown, json });
  const all: Record<string, string | number> = { outcome: report.outcome, ...outputs, ...paths };
  for (const [name, value] of Object.entries(all)) {
    setOutput(name, redact(String(value)));
  }
  if ((env['GITHUB_STEP_SUMMARY'] ?? '') !== '') await summary.addRaw(markdown, true).write();
  process.exitCode = exitCode;
}

function contextOf(log: (text: string) => void, signal: AbortSignal): FlowContext {
  const at = (level: string) => (message: string, fields?: Record<string, unknown>) =>
    log(`${level}: ${message}${fields === undefined ? '' : ` ${JSON.stringify(fields)}`}`);
  return {
    clock: systemClock,
    random: Math.random,
    logger: { debug() {}, info: at('info'), warn: at('warning'), error: at('error') },
    progress: { step: log },
    signal,
  };
}

function asRecord(details: unknown): Record<string, unknown> {
  return typeof details === 'object' && details !== null ? { ...details } : {};
}

function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  return new Failure('internal', {
    message: `A fault in Millrace: ${error instanceof Error ? error.message : String(error)}`,
    cause: error,
  });
}
