import type { OperatorEntry } from '../../lib/config/worker/operator-schema.ts';

/**
 * The same key for one person, whether given as an operator or by a GitHub login: the operator's name, else the
 * login. GitHub's logins ignore case.
 */
export function personOf(operators: readonly Pick<OperatorEntry, 'name' | 'github'>[], name: string): string {
  const wanted = name.toLowerCase();
  const known =
    operators.find((operator) => operator.github?.toLowerCase() === wanted) ??
    operators.find((operator) => operator.name.toLowerCase() === wanted);
  return (known?.name ?? name).toLowerCase();
}

/**
 * The person with a GitHub login. If the operator has named another login, the operator's own name says nothing
 * about who has that login on GitHub: then it is another person.
 */
export function personOfLogin(
  operators: readonly Pick<OperatorEntry, 'name' | 'github'>[],
  login: string,
): string {
  const wanted = login.toLowerCase();
  const known = operators.find(({ name, github = name }) => github.toLowerCase() === wanted);
  if (known !== undefined) return known.name.toLowerCase();
  return operators.some(({ name }) => name.toLowerCase() === wanted) ? `github:${wanted}` : wanted;
}
