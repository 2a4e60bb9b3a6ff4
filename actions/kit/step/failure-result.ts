import { annotationCommand } from '../../../lib/report/annotations.ts';
import { describePlace, type Failure } from '../../../lib/core/errors/failure.ts';
import { exitCodes, type Outcome } from '../../../lib/core/outcomes/outcome.ts';
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

/** A failure as an annotation, on its file and line if it has one. */
export function failureAnnotation(failure: Failure): string {
  const { where, message, hint, code } = failure;
  return annotationCommand('error', `${message}\nHow to fix: ${hint}\nCode: ${code}`, {
    title: `Millrace: ${code}`,
    file: where?.file,
    line: where?.line,
    column: where?.column,
  });
}

/** How many reasons an annotation shows. The log and the summary show all. */
const maxReasons = 10;

/** The annotation of an action that completed with the outcome `failed`. */
export function failedAnnotation({ report, reasons = [] }: StepResult): string {
  const left = reasons.length - maxReasons;
  const more = left > 0 ? [`and ${String(left)} more; see the job summary`] : [];
  const lines = [report.headline, ...reasons.slice(0, maxReasons), ...more];
  return annotationCommand('error', lines.join('\n'), { title: `Millrace: ${report.title}` });
}

/**
 * A failure as a report for the summary and the outputs.
 * @param partialResult what the step had before the failure: its files, outputs and details are kept
 */
export function failureResult(title: string, failure: Failure, partialResult?: StepResult): StepResult {
  const { message, hint, code, where, details } = failure;
  const place = describePlace(where);
  return {
    ...partialResult,
    report: {
      ...partialResult?.report,
      title,
      outcome: outcomeOf(failure),
      headline: message,
      facts: [
        ['code', code],
        ...(place === '' ? [] : [['where', place] as const]),
        ...(partialResult?.report.facts ?? []),
      ],
      findings: [],
      notes: [`How to fix: ${hint}`],
    },
    details: { ...partialResult?.details, error: { code, message, hint, where, details } },
    outputs: partialResult?.outputs ?? {},
  };
}
