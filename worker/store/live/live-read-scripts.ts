import { loadScript, type Script, statusIn } from '../../../lib/redis/scripts/lua-script.ts';

export interface BeginLiveReadArguments {
  /** Number of the last read that does not count; undefined for the last one that was begun. */
  readonly after: number | undefined;
  /** The promotion that reads. */
  readonly by: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly holdMs: number;
  readonly keepMs: number;
}

/** Begins a read, or finds one. Key: the reads of an environment. `value`: the version, or the number of the read. */
export const beginLiveRead: Script<
  BeginLiveReadArguments,
  { readonly status: 'answered' | 'waits' | 'read'; readonly value: string; readonly after: number }
> = loadScript(import.meta.dirname, 'begin-live-read.lua', (answer) => ({
  status: statusIn('answered', 'waits', 'read')(answer),
  value: answer[1] ?? '',
  after: Number(answer[2]),
}));

export interface EndLiveReadArguments {
  readonly number: number;
  /** What is live, or ''; undefined if the read has no answer. */
  readonly version: string | undefined;
}

/** Ends a read. Key: the reads of an environment. */
export const endLiveRead: Script<EndLiveReadArguments, void> = loadScript(
  import.meta.dirname,
  'end-live-read.lua',
  () => undefined,
);
