import { mermaidLabel } from '../../../lib/core/text/mermaid-label.ts';
import { kindOf, withoutSuffix } from '../../../lib/pipelines/model/pipeline-kind.ts';
import type { AffectedReport } from './affected.ts';

/**
 * Draws what a change affects as a Mermaid flowchart, with arrows from what changed to what it affects. Stadium
 * shapes are entry points; a dotted arrow means "possibly". The text of an arrow is the table that is read; an
 * arrow without text leads to a caller.
 */
export function affectedMermaid({ changed, affected, entryPoints, edges }: AffectedReport): string {
  const deleted = new Set(changed.flatMap(({ pipeline, line }) => (line === undefined ? [pipeline] : [])));
  const paths = [...new Set([...changed, ...affected].map(({ pipeline }) => pipeline))];
  const ids = new Map(paths.map((path, index) => [path, `n${index}`]));
  const entries = new Set(entryPoints);
  const classOf = (name: string, style: string, members: readonly string[]) =>
    members.length === 0
      ? []
      : [`  classDef ${name} ${style}`, `  class ${members.map((path) => ids.get(path)).join(',')} ${name}`];
  return [
    'flowchart LR',
    ...paths.map((path) => `  ${ids.get(path)}${shapeOf(path, entries.has(path))}`),
    ...edges.map(({ from, to, table, isSure }) => {
      const label = table === undefined ? '' : `|"${mermaidLabel(table)}"|`;
      return `  ${ids.get(from)} ${isSure ? '-->' : '-.->'}${label} ${ids.get(to)}`;
    }),
    ...classOf(
      'changed',
      'stroke:#9a6700,stroke-width:3px',
      changed.map(({ pipeline }) => pipeline).filter((path) => !deleted.has(path)),
    ),
    ...classOf('deleted', 'stroke:#d1242f,stroke-dasharray:4 3', [...deleted]),
    '',
  ].join('\n');
}

function shapeOf(path: string, isEntry: boolean): string {
  const label = `"${mermaidLabel(withoutSuffix(path))}"`;
  if (isEntry) return `([${label}])`;
  return kindOf(path) === 'transformation' ? `[/${label}/]` : `[${label}]`;
}
