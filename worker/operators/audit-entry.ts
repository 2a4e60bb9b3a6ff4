/** The way that an act came in: the API (commands and dashboard), a comment on a pull request, the worker by itself. */
export type Via = 'api' | 'comment' | 'worker';

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
  /** Id of the run, '' where it concerns none. */
  readonly run: string;
  /** What else belongs to it, as JSON or ''. */
  readonly data: string;
}
