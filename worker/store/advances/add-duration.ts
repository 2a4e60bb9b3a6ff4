import { loadScript, type Script, statusIn } from '../../../lib/redis/scripts/lua-script.ts';

export interface DurationArguments {
  readonly ms: number;
  /** How many are kept. */
  readonly kept: number;
  readonly keepSeconds: number;
}

/** Keeps how long an execution took. Key: the times of its pipeline. */
export const addDuration: Script<DurationArguments, 'ok'> = loadScript(
  import.meta.dirname,
  'add-duration.lua',
  statusIn('ok'),
);
