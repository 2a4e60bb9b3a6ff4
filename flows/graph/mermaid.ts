import { withoutSuffix } from '../../lib/pipelines/model/pipeline-kind.ts';
import { mermaidLabel } from '../../lib/core/text/mermaid-label.ts';
import type { GraphNode, PipelineGraph } from './pipeline-graph.ts';

/**
 * Renders the calls between pipelines as a Mermaid flowchart, which GitHub draws: stadiums are entry points, hexagons
 * are shared pipelines.
 */
export function mermaidOf({ nodes, calls }: PipelineGraph): string {
  const ids = new Map(nodes.map(({ name }, index) => [name, `n${index}`]));
  const classes = (['error', 'warning', 'notice', 'foreign', 'missing'] as const).flatMap((word) => {
    const members = nodes.filter(({ kind, worst }) => kind === word || worst === word);
    return members.length === 0
      ? []
      : [
          `  classDef ${word} ${styles[word]}`,
          `  class ${members.map(({ name }) => ids.get(name)).join(',')} ${word}`,
        ];
  });
  return [
    'flowchart LR',
    ...nodes.map((node) => `  ${ids.get(node.name)}${shapeOf(node)}`),
    ...calls.map(({ from, to }) => `  ${ids.get(from)} --> ${ids.get(to)}`),
    ...classes,
    '',
  ].join('\n');
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
    ...(kind === 'missing' ? ['does not exist'] : []),
  ];
  const label = `"${lines.map(mermaidLabel).join('<br/>')}"`;
  if (sharedId !== undefined || kind === 'foreign') return `{{${label}}}`;
  if (entry) return `([${label}])`;
  return kind === 'transformation' ? `[/${label}/]` : `[${label}]`;
}
