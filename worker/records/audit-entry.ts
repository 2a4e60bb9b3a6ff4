/**
 * How an action arrived: a form of the dashboard, the dashboard of a person who signed in with GitHub, a Millrace
 * command, an API call of another program, a comment on a pull request, a check run on GitHub, or the worker
 * itself. A command identifies itself by a header.
 */
export type Via = 'dashboard' | 'github' | 'command-line' | 'api' | 'comment' | 'check-run' | 'worker';

/** Whether GitHub named the person of an action. The name is then a login on GitHub, not the name of an operator. */
export function namesLogin(via: Via): boolean {
  return via === 'github' || via === 'comment' || via === 'check-run';
}

/** The header by which the command line identifies itself, and its value. */
export const viaHeader = { name: 'x-millrace-via', commandLine: 'command-line' } as const;

/** An entry of the audit: one action of a person or of the worker. */
export interface AuditEntry {
  /** Position in the stream; newer entries are greater. */
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly by: string;
  readonly via: Via;
  readonly act: string;
  /** Id of the lane, or ''. */
  readonly lane: string;
  /** Id of the promotion, or ''. */
  readonly promotion: string;
  /** Further data as JSON, or ''. */
  readonly data: string;
}
