/** What a program with `record-calls.ts` gets as `MILLRACE_WALK`, in JSON. */
export interface RecordOptions {
  /** The files of the walk, from the root of the repository. */
  readonly files: readonly string[];
  /** With `request`, what happens before the first request of a server does not count: how the parts are put together. */
  readonly from: 'start' | 'request';
  /** The file for what was recorded. */
  readonly result: string;
}

/** For each file whose functions were called, the files that called them, the first one first; empty for an event. */
export type Recorded = Readonly<Record<string, readonly string[]>>;
