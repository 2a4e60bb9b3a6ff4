import { type OperatorRole, operatorRoles } from '../../lib/config/operator-schema.ts';

/** Who asks. */
export interface Operator {
  readonly name: string;
  readonly role: OperatorRole;
  readonly repositories: 'all' | readonly number[];
}

/** Whether an operator has at least a role. */
export function hasRole({ role }: Operator, needed: OperatorRole): boolean {
  return operatorRoles.indexOf(role) >= operatorRoles.indexOf(needed);
}

export function mayTouch({ repositories }: Operator, repositoryId: number): boolean {
  return repositories === 'all' || repositories.includes(repositoryId);
}
