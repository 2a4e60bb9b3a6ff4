import { expressionTokens } from '../../../engine/index.ts';
import type { FaultKind } from './fault-kinds.ts';
import { nextConstant } from './next-constant.ts';
import { aroundOf, type FindFaults, type PartFault } from './part-faults.ts';

const otherSigns: Readonly<Record<string, readonly [FaultKind, string]>> = {
  '==': ['comparison', '!='],
  '===': ['comparison', '!=='],
  '!=': ['comparison', '=='],
  '!==': ['comparison', '==='],
  '<': ['comparison', '<='],
  '<=': ['comparison', '<'],
  '>': ['comparison', '>='],
  '>=': ['comparison', '>'],
  '&&': ['combination', '||'],
  '||': ['combination', '&&'],
};

/** Changes of operators and constants in an expression of the platform, which is a subset of JavaScript. */
export const expressionFaults: FindFaults = ({ node, path }) => {
  if (node.kind !== 'scalar') return [];
  return (expressionTokens(node.text) ?? []).flatMap((token): readonly PartFault[] => {
    const at = { path, start: token.offset, end: token.end };
    const before = node.text.slice(at.start, at.end);
    const [kind, after] =
      token.kind === 'sign'
        ? (otherSigns[token.value] ?? [])
        : (['constant', otherConstant(token.kind, before)] as const);
    if (kind === undefined || after === undefined) return [];
    const changes = [{ path, parts: [{ start: at.start, end: at.end, text: after }] }];
    return [{ kind, before, after, changes, at, context: aroundOf(node.text, at) }];
  });
};

function otherConstant(kind: string, written: string): string | undefined {
  if (kind === 'number') return nextConstant(written);
  const next = kind === 'text' && !written.includes('\\') ? nextConstant(written.slice(1, -1)) : undefined;
  return next === undefined ? undefined : `${written.charAt(0)}${next}${written.charAt(0)}`;
}
