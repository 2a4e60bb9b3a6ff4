import type { Via } from '../../records/audit-entry.ts';
import type { Operator } from '../../operators/operator.ts';

/** How an operator's action arrived, for the audit. A value with `github` means that the name is a login on GitHub. */
export function viaOf({ github }: Operator, entrance: Via): Via {
  return github === undefined ? entrance : 'github';
}
