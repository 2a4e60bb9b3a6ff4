/** How a use case ended; the same words in outputs, on GitHub and in `--json`. */
export const outcomes = [
  'passed',
  'failed',
  'nothing-to-do',
  'skipped-fork',
  'superseded',
  'already-done',
  'cancelled',
  'indeterminate',
  'error',
] as const;

export type Outcome = (typeof outcomes)[number];

/** Exit codes of the command line and of the actions (design, "The command line"). */
export const exitCodes = {
  done: 0,
  no: 1,
  usage: 2,
  remote: 3,
  unknown: 4,
  cancelled: 130,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];

/** The exit code of an outcome. For `error`, the failure has the exact code. */
export function exitCodeOf(outcome: Outcome): ExitCode {
  switch (outcome) {
    case 'passed':
    case 'nothing-to-do':
    case 'skipped-fork':
    case 'superseded':
    case 'already-done':
      return exitCodes.done;
    case 'failed':
      return exitCodes.no;
    case 'cancelled':
      return exitCodes.cancelled;
    case 'indeterminate':
      return exitCodes.unknown;
    case 'error':
      return exitCodes.remote;
  }
}
