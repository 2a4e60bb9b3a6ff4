import { loadScript, type Script } from '../../../lib/redis/scripts/lua-script.ts';

/** Deletes a key if it still has this value, so that another worker's value stays. */
export const deleteIfEqual: Script<{ readonly value: string }, void> = loadScript(
  import.meta.dirname,
  'delete-if-equal.lua',
  () => undefined,
);

/** Extends the lifetime of a key to `ms` milliseconds from now, if it still has this value. */
export const extendIfEqual: Script<{ readonly value: string; readonly ms: number }, void> = loadScript(
  import.meta.dirname,
  'extend-if-equal.lua',
  () => undefined,
);
