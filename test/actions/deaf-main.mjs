/**
 * Loaded before the action by `NODE_OPTIONS`: a main step that hears no signal, as one whose event loop is blocked, so
 * that only the kill ends it.
 */
if (process.argv[1]?.endsWith('/run.js') === true) {
  const on = process.on.bind(process);
  process.on = (event, listener) =>
    on(event, event === 'SIGINT' || event === 'SIGTERM' ? () => {} : listener);
}
