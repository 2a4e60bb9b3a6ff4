import { loadScript, type Script } from '../../../lib/redis/scripts/lua-script.ts';

export interface AddArguments {
  /** Oldest first. */
  readonly lines: readonly string[];
  readonly maxLines: number;
  readonly keepSeconds: number;
}

/** Adds lines to the list of deliveries. Key: the list. */
export const addDeliveries: Script<AddArguments, void> = loadScript(
  import.meta.dirname,
  'add-deliveries.lua',
  () => undefined,
);
