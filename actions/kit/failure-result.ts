import { annotationCommand } from '../../lib/github/annotation-commands.ts';
import { describePlace, type Failure } from '../../lib/core/failure.ts';
import { exitCodes, type Outcome } from '../../lib/core/outcome.ts';
import type { StepResult } from './action.ts';

function outcomeOf(failure: Failure): Outcome {
  switch (failure.exitCode) {
    case exitCodes.no:
      return 'failed';
    case exitCodes.unknown:
      return 'indeterminate';
    case exitCodes.cancelled:
      return 'cancelled';
    case exitCodes.done:
    case exitCodes.usage:
    case exitCodes.remote:
      return 'error';
  }
}

/** A failure as an annotation, on its file and line where it has one. */
export function failureAnnotation(failure: Failure): string {
  const { where, message, hint, code } = failure;
  return annotationCommand('error', `${message}\nHow to fix: ${hint}\nCode: ${code}`, {
    title: `Millrace: ${code}`,
    file: where?.file,
    line: where?.line,
    column: where?.column,
  });
}

/** More lines of reasons than this are for the log and the summary. */
const maximumReasons = 10;

/** The end of an action that did what it was asked for and found that the answer is no. */
export function failedAnnotation({ report, reasons = [] }: StepResult): string {
  const left = reasons.length - maximumReasons;
  const more = left > 0 ? [`and ${String(left)} more; see the job summary`] : [];
  const lines = [report.headline, ...reasons.slice(0, maximumReasons), ...more];
  return annotationCommand('error', lines.join('\n'), { title: `Millrace: ${report.title}` });
}

/** A failure as a report, so that summary and outputs say it too. */
export function failureResult(title: string, failure: Failure): StepResult {
  const { message, hint, code, where, details } = failure;
  const place = describePlace(where);
  return {
    report: {
      title,
      outcome: outcomeOf(failure),
      headline: message,
      facts: [['code', code], ...(place === '' ? [] : [['where', place] as const])],
      findings: [],
      notes: [`How to fix: ${hint}`],
    },
    details: { error: { code, message, hint, where, details } },
    outputs: {},
  };
}
