import type { YamlNode } from '../../lib/yaml/yaml-node.ts';
import type { Variables } from './variables.ts';

export interface ResolvedText {
  readonly text: string;
  /** Unknown names in `${…}`; they stay as written. */
  readonly missing: readonly string[];
  /** Whether an expression (`${rows.length}`) stayed as written: those are computed by the platform's own language. */
  readonly partial: boolean;
}

const reference = /\$\{([^{}]*)\}/g;
const variableName = /^\s*([\p{L}_][\p{L}\p{N}_]*)\s*$/u;

/** Replaces `${name}` by the values of scalar variables (unknowns §5). A grid's name stays as written. */
export function resolveText(text: string, variables: Variables): ResolvedText {
  const missing: string[] = [];
  let partial = false;
  const resolved = text.replace(reference, (written, inside: string) => {
    const name = variableName.exec(inside)?.[1];
    const cell = name === undefined ? undefined : variables.cell(name);
    if (cell !== undefined && typeof cell.value === 'string') return cell.value;
    if (name !== undefined && cell === undefined) missing.push(name);
    else partial = true;
    return written;
  });
  return { text: resolved, missing, partial };
}

/** The first unknown variable name in a node or its children. */
export function undefinedVariable(node: YamlNode | undefined, variables: Variables): string | undefined {
  if (node === undefined) return undefined;
  if (node.kind === 'scalar') {
    return node.text.includes('${') ? resolveText(node.text, variables).missing[0] : undefined;
  }
  const children = node.kind === 'list' ? node.items : [...node.entries.values()].map(({ value }) => value);
  for (const child of children) {
    const name = undefinedVariable(child, variables);
    if (name !== undefined) return name;
  }
  return undefined;
}
