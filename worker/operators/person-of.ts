import type { OperatorEntry } from '../../config/operator-schema.ts';

/**
 * One and the same person, whether named as an operator or by a GitHub login: the operator's name, else the login.
 * GitHub's logins are the same in upper and lower case.
 */
export function personOf(operators: readonly Pick<OperatorEntry, 'name' | 'github'>[], name: string): string {
  const wanted = name.toLowerCase();
  const known =
    operators.find((operator) => operator.github?.toLowerCase() === wanted) ??
    operators.find((operator) => operator.name.toLowerCase() === wanted);
  return (known?.name ?? name).toLowerCase();
}
