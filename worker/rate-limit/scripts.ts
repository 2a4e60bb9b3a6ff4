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

/** Takes a token; the milliseconds after which to ask again, 0 where one was taken. Keys: the bucket, its places. */
export const takeToken: Script<TakeArguments, number> = loadScript(folder, 'take-token.lua', ([wait]) =>
  Number(wait),
);

export interface SlowArguments extends BucketArguments {
  readonly pauseMs: number;
}

/** The platform refused: a pause, and half as many requests afterwards. Key: the bucket. */
export const slowDown: Script<SlowArguments, void> = loadScript(folder, 'slow-down.lua', () => undefined);

export interface SpendArguments extends Timed {
  readonly perMinute: number;
  readonly perHour: number;
  /** Milliseconds between two writes. */
  readonly gapMs: number;
  /** Milliseconds that the moment of the write may be ahead. */
  readonly aheadMs: number;
  /** Of this write; no other has it. */
  readonly id: string;
}

export interface Spent {
  /** `ok`: the write has its moment. `wait`: nothing was taken. */
  readonly status: 'ok' | 'wait';
  /** Until that moment, or until it is worth asking again. */
  readonly ms: number;
  /** Writes of the last hour. */
  readonly used: number;
}

/** Takes one write out of the allowance. Keys: the writes of the last hour, the pause. */
export const spendWrite: Script<SpendArguments, Spent> = loadScript(folder, 'spend-write.lua', (answer) => ({
  status: statusIn('ok', 'wait')(answer),
  ms: Number(answer[1]),
  used: Number(answer[2]),
}));

export interface PauseArguments extends Timed {
  /** What GitHub asked for. */
  readonly ms: number;
}

/** GitHub wants a pause: how many milliseconds it has become. Keys: the writes of the last hour, the pause. */
export const pauseWrites: Script<PauseArguments, number> = loadScript(folder, 'pause-writes.lua', ([ms]) =>
  Number(ms),
);

/** A write went through after a pause. Keys: the writes of the last hour, the pause. */
export const endPause: Script<Timed, void> = loadScript(folder, 'end-pause.lua', () => undefined);
