/** Loaded before an action by `NODE_OPTIONS`: half a minute or more passes in a second, so that tests do not wait for time limits. */
const soon = (milliseconds) => (milliseconds >= 30_000 ? 1_000 : milliseconds);
const { setTimeout: later } = globalThis;
globalThis.setTimeout = Object.assign(
  (callback, milliseconds, ...rest) => later(callback, soon(milliseconds), ...rest),
  later,
);
const timeout = AbortSignal.timeout.bind(AbortSignal);
AbortSignal.timeout = (milliseconds) => timeout(soon(milliseconds));
