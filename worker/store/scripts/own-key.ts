import { loadScript, type Script } from '../../../lib/redis/scripts/lua-script.ts';

/** Deletes a key, unless another worker has set it since. */
export const deleteIfEqual: Script<{ readonly value: string }, void> = loadScript(
  import.meta.dirname,
  'delete-if-equal.lua',
  () => undefined,
);

/** Extends the lifetime of a key to `ms` milliseconds from now, unless another worker has set it since. */
export const extendIfEqual: Script<{ readonly value: string; readonly ms: number }, void> = loadScript(
  import.meta.dirname,
  'extend-if-equal.lua',
  () => undefined,
);
