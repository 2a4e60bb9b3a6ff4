import { loadScript, type Script } from '../../../lib/redis/scripts/lua-script.ts';

/** Takes the last place in the order of a repository's pushes. Key: the places. */
export const takePlace: Script<{ readonly job: string }, void> = loadScript(
  import.meta.dirname,
  'take-push-place.lua',
  () => undefined,
);
