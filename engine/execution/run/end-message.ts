import { shorten } from '../../../lib/core/text/shorten.ts';
import type { ExecutionStatus } from './execution-state.ts';
import type { Result, Run } from './run.ts';

const maxLength = 2_000;

/** The final status of an execution, and its message. */
export function endMessage(run: Run, result: Result): { status: ExecutionStatus; message: string } {
  const { status, message } = verdict(run, result);
  const ran = `${run.components} ${run.components === 1 ? 'component' : 'components'} ran`;
  const count =
    run.request.engine === undefined
      ? `Simulated: ${ran}, nothing outside was changed.`
      : `${ran}${run.mocked === 0 ? '' : `, ${run.mocked} mocked`}.`;
  // A message of several lines ends with lines of a file, and nothing may follow such a line.
  const space = message.includes('\n') ? '\n' : ' ';
  return { status, message: [message, count, assumptions(run)].filter((part) => part !== '').join(space) };
}

function verdict(run: Run, result: Result): { status: ExecutionStatus; message: string } {
  // A termination takes precedence over the result of the last component.
  if (run.stopping) return { status: 'CANCELLED', message: 'Terminated on request.' };
  if (run.fatal !== undefined) return { status: 'FAILED', message: sentenceOf(run.fatal) };
  if (result.status === 'success') return { status: 'SUCCESS', message: result.message };
  return { status: 'FAILED', message: sentenceOf(result.origin ?? result.message) };
}

function assumptions({ assumed }: Run): string {
  if (assumed.size === 0) return '';
  const [first = ''] = assumed;
  const more = assumed.size === 1 ? '' : ` and ${assumed.size - 1} more`;
  return `A condition that the engine cannot evaluate counts as true: ${first}${more}.`;
}

function sentenceOf(message: string): string {
  const short = shorten(message, maxLength);
  return /[.!?…]$/.test(short) || short.includes('\n') ? short : `${short}.`;
}
