/** An operator or an expression of a plan, as DuckDB writes it as JSON. */
export type PlanNode = Readonly<Record<string, unknown>>;

export function isNode(value: unknown): value is PlanNode {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The nodes of a list; empty if there is none. */
export function nodesOf(value: unknown): readonly PlanNode[] {
  return Array.isArray(value) ? value.filter(isNode) : [];
}

/** The numbers of a list; empty if there is none. */
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

/** DuckDB leaves no number out. */
export function numberAt(node: PlanNode, key: string): number {
  const value = node[key];
  return typeof value === 'number' ? value : 0;
}
