import { loadScript, type Script, statusIn } from '../store/lua-script.ts';

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

/** Takes a token; the milliseconds until the next attempt, 0 if one was taken. Keys: the bucket, its places. */
export const takeToken: Script<TakeArguments, number> = loadScript(folder, 'take-token.lua', ([wait]) =>
  Number(wait),
);

export interface SlowArguments extends BucketArguments {
  readonly pauseMs: number;
}

/** The platform refused a request: a pause, and half the rate afterwards. Key: the bucket. */
export const slowDown: Script<SlowArguments, void> = loadScript(folder, 'slow-down.lua', () => undefined);

export interface SpendArguments extends Timed {
  readonly perMinute: number;
  readonly perHour: number;
  /** Milliseconds between two writes. */
  readonly gapMs: number;
  /** How far ahead a time may be reserved, in milliseconds. */
  readonly aheadMs: number;
  /** Of this write; no other has it. */
  readonly id: string;
  /** Who waits, if it must; undefined for a write that no other goes before. */
  readonly waiter: string | undefined;
  /** Among those who wait, the lowest rank is next. */
  readonly rank: number | undefined;
}

export interface Spent {
  /** `ok`: a time is reserved. `wait`: nothing was taken. */
  readonly status: 'ok' | 'wait';
  /** Milliseconds until that time, or until the next attempt can succeed. */
  readonly ms: number;
  /** Writes of the last hour. */
  readonly used: number;
}

/** Takes one write from the budget. Keys: the writes of the last hour, the pause, and who waits, by rank and by time. */
export const spendWrite: Script<SpendArguments, Spent> = loadScript(folder, 'spend-write.lua', (answer) => ({
  status: statusIn('ok', 'wait')(answer),
  ms: Number(answer[1]),
  used: Number(answer[2]),
}));

export interface PauseArguments extends Timed {
  /** What GitHub asked for. */
  readonly ms: number;
}

/** GitHub asked for a pause. Answers its milliseconds. Keys: the writes of the last hour, the pause. */
export const pauseWrites: Script<PauseArguments, number> = loadScript(folder, 'pause-writes.lua', ([ms]) =>
  Number(ms),
);

/** A write succeeded after a pause. Keys: the writes of the last hour, the pause. */
export const endPause: Script<Timed, void> = loadScript(folder, 'end-pause.lua', () => undefined);
