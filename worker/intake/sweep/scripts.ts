import { loadScript, type Script, statusIn } from '../../store/lua-script.ts';

export interface ClaimArguments {
  /** How often it had been asked for when the caller looked. */
  readonly times: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly keepSeconds: number;
}

/** Writes down that a delivery is asked for again, unless another worker did. Key: what was asked about it. */
export const claimDelivery: Script<ClaimArguments, 'mine' | 'taken'> = loadScript(
  import.meta.dirname,
  'claim-delivery.lua',
  statusIn('mine', 'taken'),
);
