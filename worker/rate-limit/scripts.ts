import { loadScript, type Script, statusIn } from '../../lib/redis/scripts/lua-script.ts';

const folder = import.meta.dirname;

/** The time of Redis, unless a test sets it: milliseconds since the epoch. */
interface Timed {
  readonly now: number | undefined;
}

interface BucketArguments extends Timed {
  /** Requests that the platform takes in a window. */
  readonly requests: number;
  readonly windowMs: number;
}

export interface TakeArguments extends BucketArguments {
  readonly kind: 'effect' | 'read' | 'background';
  /** A digest of what is read; '' for the other kinds. */
  readonly what: string;
}

/** Takes a token. Returns the milliseconds until the next attempt, 0 if it took one. Keys: the bucket, its places. */
export const takeToken: Script<TakeArguments, number> = loadScript(folder, 'take-token.lua', ([wait]) =>
  Number(wait),
);

export interface SlowArguments extends BucketArguments {
  readonly pauseMs: number;
}

/** Records that the platform refused a request: a pause, then half the rate. Key: the bucket. */
export const slowDown: Script<SlowArguments, void> = loadScript(folder, 'slow-down.lua', () => undefined);

export interface SpendArguments extends Timed {
  readonly perMinute: number;
  readonly perHour: number;
  /** The hour's limit for what is most urgent. */
  readonly hour: number;
  /** Milliseconds between two requests. */
  readonly gapMs: number;
  /** How far ahead a time may be reserved, in milliseconds. */
  readonly aheadMs: number;
  /** Id of this request; no other request has it. */
  readonly id: string;
  /** Who waits, if it must; undefined for a request that no other goes before. */
  readonly waiter: string | undefined;
  /** Among those who wait, the lowest rank is next. */
  readonly rank: number | undefined;
  /** Whether it may have several writes; at most `most`, which are collected for up to `collectMs`. */
  readonly shared: boolean;
  readonly most: number;
  readonly collectMs: number;
  /** For a single write about progress, which waits for up to `holdMs`: when its content became true. */
  readonly progressSince: number | undefined;
  readonly holdMs: number;
  /** Set once the request is taken. */
  readonly mark:
    { readonly fields: Readonly<Record<string, string>>; readonly keepSeconds: number } | undefined;
}

export interface Spent {
  /** `ok`: a time is reserved. `wait`: nothing was taken. */
  readonly status: 'ok' | 'wait';
  /** Milliseconds until that time, or until the next attempt can succeed. */
  readonly ms: number;
  /** Requests of the last hour. */
  readonly used: number;
  /** For `ok`: whether GitHub has asked for a pause since a write last succeeded. */
  readonly isPaused: boolean;
}

/**
 * Takes one request from the write budget. Keys: the requests of the last hour, the pause, the waiting writes by
 * rank and by time, the writes of the last minute, facts about requests with several writes, and the mark, if there
 * is one.
 */
export const spendWrite: Script<SpendArguments, Spent> = loadScript(folder, 'spend-write.lua', (answer) => ({
  status: statusIn('ok', 'wait')(answer),
  ms: Number(answer[1]),
  used: Number(answer[2]),
  isPaused: answer[3] === 'paused',
}));

interface CompanionArguments extends Timed {
  readonly count: number;
}

/**
 * Takes the waiting writes that can go into a request with several writes. Keys: the waiting writes by rank and by
 * time, and facts about such requests.
 */
export const takeCompanions: Script<CompanionArguments, readonly string[]> = loadScript(
  folder,
  'take-companions.lua',
  (answer) => answer,
);

interface AddArguments extends Timed {
  readonly perMinute: number;
  readonly id: string;
  readonly count: number;
  readonly most: number;
}

/**
 * Adds writes to a request, and returns how many fit. Keys: the writes of the last minute, and facts about requests
 * with several writes.
 */
export const addWrites: Script<AddArguments, number> = loadScript(folder, 'add-writes.lua', ([count]) =>
  Number(count),
);

/**
 * Records that a request with several writes was refused, or that its answer was lost. Key: facts about such
 * requests.
 */
export const shrinkRequests: Script<{ readonly writes: number }, void> = loadScript(
  folder,
  'shrink-requests.lua',
  () => undefined,
);

export interface PauseArguments extends Timed {
  /** What GitHub asked for. */
  readonly ms: number;
}

/**
 * Records that GitHub asked for a pause, and returns its length in milliseconds. Keys: the writes of the last hour,
 * the pause.
 */
export const pauseWrites: Script<PauseArguments, number> = loadScript(folder, 'pause-writes.lua', ([ms]) =>
  Number(ms),
);

/** Records that a write succeeded after a pause. Keys: the writes of the last hour, the pause. */
export const endPause: Script<Timed, void> = loadScript(folder, 'end-pause.lua', () => undefined);
