import { isRecord } from '../../lib/core/values/is-record.ts';

/** An operator or an expression of a query plan, as DuckDB writes it in JSON. */
export type PlanNode = Readonly<Record<string, unknown>>;

export function isNode(value: unknown): value is PlanNode {
  return isRecord(value);
}

/** The plan nodes in a list. Empty if the value is not a list. */
export function nodesOf(value: unknown): readonly PlanNode[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** The numbers in a list. Empty if the value is not a list. */
export function numbersOf(value: unknown): readonly number[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'number') : [];
}

export function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === 'string') : [];
}

export function textAt(node: PlanNode, key: string): string {
  const value = node[key];
  return typeof value === 'string' ? value : '';
}

/**
 * The number in a field of a plan node. 0 if the field does not contain a number; DuckDB always writes these fields.
 */
export function numberAt(node: PlanNode, key: string): number {
  const value = node[key];
  return typeof value === 'number' ? value : 0;
}
