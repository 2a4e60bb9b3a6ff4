import { loadScript, type Script, statusIn } from '../../store/lua-script.ts';

export interface ClaimArguments {
  /** The number of requests when the caller read the record. */
  readonly times: number;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly keepSeconds: number;
}

/** Records a redelivery request, unless another worker has recorded one. Key: the requests for the delivery. */
export const claimDelivery: Script<ClaimArguments, 'mine' | 'taken'> = loadScript(
  import.meta.dirname,
  'claim-delivery.lua',
  statusIn('mine', 'taken'),
);
