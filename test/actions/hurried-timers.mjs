import { createRequire, syncBuiltinESMExports } from 'node:module';

/**
 * Loaded before an action by `NODE_OPTIONS`: its long waits (a minute for an answer, the pause before the next try) take
 * a sixtieth of their time, so that a time-out can be met for real. With `?to=30000` the timers of a minute keep their time:
 * a busy machine may take a second for an answer.
 */
const longest = Number(new URL(import.meta.url).searchParams.get('to') ?? Infinity);
const hurried = (ms) => (ms >= 500 && ms <= longest ? ms / 60 : ms);

const { setTimeout: usual } = globalThis;
globalThis.setTimeout = Object.assign((work, ms, ...rest) => usual(work, hurried(ms), ...rest), usual);
const timeout = AbortSignal.timeout.bind(AbortSignal);
AbortSignal.timeout = (ms) => timeout(hurried(ms));
const promises = createRequire(import.meta.url)('node:timers/promises');
const { setTimeout: delay } = promises;
promises.setTimeout = (ms, ...rest) => delay(hurried(ms), ...rest);
syncBuiltinESMExports();
