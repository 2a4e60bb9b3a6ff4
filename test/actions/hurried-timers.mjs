import { createRequire, syncBuiltinESMExports } from 'node:module';

/**
 * Loaded before an action by `NODE_OPTIONS`: its long waits (a minute for an answer, the pause before the next try) take
 * a sixtieth of their time, so that a time-out can be met for real.
 */
const hurried = (ms) => (ms >= 500 ? ms / 60 : ms);

const { setTimeout: usual } = globalThis;
globalThis.setTimeout = Object.assign((work, ms, ...rest) => usual(work, hurried(ms), ...rest), usual);
const timeout = AbortSignal.timeout.bind(AbortSignal);
AbortSignal.timeout = (ms) => timeout(hurried(ms));
const promises = createRequire(import.meta.url)('node:timers/promises');
const { setTimeout: delay } = promises;
promises.setTimeout = (ms, ...rest) => delay(hurried(ms), ...rest);
syncBuiltinESMExports();
