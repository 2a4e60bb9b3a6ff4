/**
 * The way that an act came in: a form of the dashboard, a command of Millrace, a call of the API by another program, a
 * comment on a pull request on GitHub, the worker by itself. A command is one because it says so.
 */
export type Via = 'dashboard' | 'command-line' | 'api' | 'comment' | 'worker';

/** The header by which the command line names itself, and its value. */
export const viaHeader = { name: 'x-millrace-via', commandLine: 'command-line' } as const;

/** One act of a person, or of the worker in nobody's name. */
export interface AuditEntry {
  /** Place in the stream; newer ones are greater. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly by: string;
  readonly via: Via;
  readonly act: string;
  /** Id of the lane, '' where it concerns none. */
  readonly lane: string;
  /** Id of the promotion, '' where it concerns none. */
  readonly promotion: string;
  /** What else belongs to it, as JSON or ''. */
  readonly data: string;
}
