import { withoutSuffix } from '../../lib/pipelines/model/pipeline-kind.ts';
import { compareTexts } from '../../lib/core/text/compare-texts.ts';
import { mermaidLabel } from '../../lib/core/text/mermaid-label.ts';
import type { GraphNode, PipelineGraph } from './pipeline-graph.ts';
import type { TableGraph } from './table-graph.ts';

/**
 * Renders the calls between pipelines as a Mermaid flowchart, which GitHub draws: stadiums are entry points, hexagons
 * are shared pipelines.
 */
export function mermaidOf({ nodes, calls }: PipelineGraph): string {
  const ids = idsOf(nodes);
  return [
    'flowchart LR',
    ...nodes.map((node) => `  ${ids.get(node.name)}${shapeOf(node)}`),
    ...calls.map(({ from, to }) => `  ${ids.get(from)} --> ${ids.get(to)}`),
    ...classesOf(nodes, ids),
    '',
  ].join('\n');
}

/**
 * Renders calls and tables as a Mermaid flowchart: tables are cylinders, folders are boxes, calls are dotted
 * arrows. Other arrows lead from a table to its readers, and from a pipeline to the tables that it writes.
 */
export function tablesMermaid({ nodes, calls, tables, uses }: TableGraph): string {
  const ids = idsOf(nodes);
  const tableIds = new Map(tables.map(({ name }, index) => [name, `t${index}`]));
  const folders = Map.groupBy(nodes, folderOf);
  const arrows = uses.map(({ pipeline, table, effect }) => {
    const [user, used] = [ids.get(pipeline), tableIds.get(table)];
    if (effect === 'reads') return `  ${used} --> ${user}`;
    return effect === 'writes' || effect === 'creates'
      ? `  ${user} --> ${used}`
      : `  ${user} -->|${effect}| ${used}`;
  });
  const outside = tables.filter(({ created }) => !created).map(({ name }) => tableIds.get(name));
  return [
    'flowchart LR',
    ...[...folders]
      .toSorted(([a], [b]) => compareTexts(a, b))
      .flatMap(([folder, members], index) => {
        const drawn = members.map((node) => `  ${ids.get(node.name)}${shapeOf(node)}`);
        if (folder === '') return drawn;
        return [
          `  subgraph f${index}["${mermaidLabel(folder)}"]`,
          ...drawn.map((line) => `  ${line}`),
          '  end',
        ];
      }),
    ...tables.map(({ name, label }) => `  ${tableIds.get(name)}[("${mermaidLabel(label)}")]`),
    ...calls.map(({ from, to }) => `  ${ids.get(from)} -.-> ${ids.get(to)}`),
    ...new Set(arrows),
    ...classesOf(nodes, ids),
    ...(outside.length === 0
      ? []
      : [`  classDef outside ${styles.foreign}`, `  class ${outside.join(',')} outside`]),
    '',
  ].join('\n');
}

/** The folder of a pipeline of the project; `''` for its root, and for what is not in the project. */
function folderOf({ name, kind }: GraphNode): string {
  return kind === 'foreign' || !name.includes('/') ? '' : name.slice(0, name.lastIndexOf('/'));
}

function idsOf(nodes: readonly GraphNode[]): ReadonlyMap<string, string> {
  return new Map(nodes.map(({ name }, index) => [name, `n${index}`]));
}

function classesOf(nodes: readonly GraphNode[], ids: ReadonlyMap<string, string>): readonly string[] {
  return (['error', 'warning', 'notice', 'foreign', 'missing'] as const).flatMap((word) => {
    const members = nodes.filter(({ kind, worst }) => kind === word || worst === word);
    return members.length === 0
      ? []
      : [
          `  classDef ${word} ${styles[word]}`,
          `  class ${members.map(({ name }) => ids.get(name)).join(',')} ${word}`,
        ];
  });
}

const styles = {
  error: 'stroke:#d1242f,stroke-width:3px',
  warning: 'stroke:#9a6700,stroke-width:3px',
  notice: 'stroke:#0969da,stroke-width:2px',
  foreign: 'stroke-dasharray:4 3',
  missing: 'stroke:#d1242f,stroke-dasharray:4 3',
};

function shapeOf({ name, kind, entry, sharedId }: GraphNode): string {
  const lines = [
    withoutSuffix(name),
    ...(sharedId === undefined ? [] : [`shared as ${sharedId}`]),
    ...(kind === 'missing' ? ['does not exist'] : kind === 'streaming' ? ['streaming pipeline'] : []),
  ];
  const label = `"${lines.map(mermaidLabel).join('<br/>')}"`;
  if (sharedId !== undefined || kind === 'foreign') return `{{${label}}}`;
  if (entry) return `([${label}])`;
  return kind === 'transformation' ? `[/${label}/]` : `[${label}]`;
}
