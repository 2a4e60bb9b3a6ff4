import type { Via } from '../../records/audit-entry.ts';
import type { Operator } from '../../operators/operator.ts';

/** The entrance of an operator's action, for the audit. `github` says that the name is a login on GitHub. */
export function viaOf({ github }: Operator, entrance: Via): Via {
  return github === undefined ? entrance : 'github';
}
