import type { YamlPath } from './read-yaml.ts';
import type { Span, YamlNode } from './yaml-node.ts';

/** The innermost key or value at an offset. */
export interface NodeAt {
  /** Keys and indices from the root, with the key or the index of the node itself. */
  readonly path: YamlPath;
  /** The value; for a key, the value of that key. */
  readonly node: YamlNode;
  /** Whether the offset is in the key at the end of the path. */
  readonly isKey: boolean;
  /** The range of the key or the value. */
  readonly span: Span;
}

/** The innermost key or value that contains an offset, including its end; undefined between values. */
export function nodeAt(root: YamlNode | undefined, offset: number): NodeAt | undefined {
  if (root === undefined || !contains(root, offset)) return undefined;
  const path: (string | number)[] = [];
  let node = root;
  for (;;) {
    if (node.kind === 'scalar') return { path, node, isKey: false, span: node };
    const next = stepInto(node, offset);
    if (next === undefined) return { path, node, isKey: false, span: node };
    path.push(next.step);
    node = next.node;
    if (next.isKey) return { path, node, isKey: true, span: next.span };
  }
}

interface Step {
  readonly step: string | number;
  readonly node: YamlNode;
  readonly isKey: boolean;
  readonly span: Span;
}

function stepInto(node: Exclude<YamlNode, { kind: 'scalar' }>, offset: number): Step | undefined {
  if (node.kind === 'list') {
    const step = node.items.findIndex((item) => contains(item, offset));
    const item = node.items[step];
    return item && { step, node: item, isKey: false, span: item };
  }
  for (const [step, { key, value }] of node.entries) {
    if (contains(key, offset)) return { step, node: value, isKey: true, span: key };
    if (contains(value, offset)) return { step, node: value, isKey: false, span: value };
  }
  return undefined;
}

function contains({ start, end }: Span, offset: number): boolean {
  return start <= offset && offset <= end;
}
