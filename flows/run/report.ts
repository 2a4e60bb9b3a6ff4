import type { Report } from '../../lib/report/report.ts';
import { attachCommand } from './attach-command.ts';
import { describeExecution } from './describe-execution.ts';
import { isQueued, notStartedInTime } from './execution-status.ts';
import type { RunReport } from './run.ts';

/**
 * The report about an execution, the same for command and action.
 * @param notes further notes of the command or action
 */
export function reportOfRun(ran: RunReport, notes: readonly string[] = []): Report {
  const { outcome, message, terminated, hint } = ran;
  return {
    title: 'Run',
    outcome,
    headline: headlineOf(ran),
    facts: factsOf(ran),
    findings: [],
    // A message may have lines of a file.
    blocks: message === undefined ? [] : [{ title: 'The platform says:', lines: message.split('\n') }],
    notes: [
      ...(terminated ? ['The execution was terminated.'] : []),
      ...(hint === undefined ? [] : [hint]),
      ...notes,
    ],
  };
}

function headlineOf(ran: RunReport): string {
  const { outcome, timedOut, dryRun, status, startedAt, executionId, problem } = ran;
  const what = describeExecution(ran);
  // Only the execution of `attach` has its id before it starts.
  if (dryRun) return executionId === undefined ? `Would run ${what}.` : `Would wait for ${what}.`;
  if (outcome === 'nothing-to-do')
    return `Not started: an execution of ${what} with this tag is already running.`;
  // Without waiting, no status was read.
  if (outcome === 'passed' && status === undefined) return `Started ${what}.`;
  if (problem !== undefined)
    return `The status of ${what} is unknown: ${problem.replace(/\.$/u, '')}. Execution ${executionId ?? ''}.`;
  if (timedOut)
    return status !== undefined && isQueued({ status, startedAt })
      ? `${notStartedInTime(what, ran.message)}.`
      : `${what} did not end within the time limit.`;
  return outcome === 'cancelled'
    ? `Cancelled while ${what} was running.`
    : `${what} ended: ${status ?? outcome}.`;
}

function factsOf(ran: RunReport): Report['facts'] {
  const facts = [
    ['tag', ran.tag],
    ['execution', ran.executionId],
    ['status', ran.status],
    ['started', ran.startedAt],
    ['finished', ran.finishedAt],
    // A fact is shown as code, so that the command can be copied unchanged.
    ['to wait for it', ran.hint === undefined ? undefined : attachCommand(ran, ran.executionId ?? '')],
  ] as const;
  return facts.flatMap(([label, value]) =>
    value === undefined || value === '' ? [] : [[label, value] as const],
  );
}
