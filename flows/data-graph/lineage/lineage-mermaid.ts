import type { WarehouseKind } from '../../../engine/index.ts';
import { mermaidLabel } from '../../../lib/core/text/mermaid-label.ts';
import { withoutSuffix } from '../../../lib/pipelines/model/pipeline-kind.ts';
import { nameText } from './find-column.ts';
import type { ComponentPlace, LineageReport } from './lineage-report.ts';

/**
 * A lineage as a Mermaid flowchart. Each table is a box with its columns. An arrow is a component that puts one
 * column into another; a dashed arrow is a column that only decides about rows or values; a rounded box is a
 * component that only reads.
 */
export function lineageMermaid(report: LineageReport, kind: WarehouseKind): readonly string[] {
  const ids = new Map(report.columns.map(({ id }, index) => [id, `c${index}`]));
  const tables = [...Map.groupBy(report.columns, (column) => nameText({ table: column }, kind))];
  for (const [index, [table]] of tables.entries()) ids.set(table, `t${index}`);
  const boxes = tables.flatMap(([table, columns]) => [
    `  subgraph ${ids.get(table)}["${mermaidLabel(table)}"]`,
    ...columns.map(({ id, column }) => `    ${ids.get(id)}["${mermaidLabel(column)}"]`),
    '  end',
  ]);
  const links = report.links.flatMap(({ from = '', to, writer }) =>
    arrow(ids.get(from), '-->', ids.get(to), placeLabel(writer)),
  );
  const decisions = report.decisions.flatMap(({ from, to, writer }) =>
    arrow(ids.get(from), '-.->', ids.get(to), placeLabel(writer)),
  );
  const others = [
    ...report.columns.flatMap(({ id, unknown }) =>
      unknown.map(({ reason }) => (box: string) => [
        `  ${box}{{"${mermaidLabel(`unknown: ${reason}`)}"}}`,
        ...arrow(box, '-.->', ids.get(id)),
      ]),
    ),
    ...report.reads.map(({ from, reader, unknown }) => (box: string) => [
      `  ${box}(["${placeLabel(reader)}${unknown === undefined ? '' : mermaidLabel(` unknown: ${unknown}`)}"])`,
      ...arrow(ids.get(from), '-.->', box),
    ]),
  ].flatMap((draw, index) => draw(`n${index}`));
  const outside = report.columns.filter(({ isOutside }) => isOutside).map(({ id }) => ids.get(id) ?? '');
  const styles =
    outside.length === 0
      ? []
      : ['  classDef outside stroke-dasharray:4 3', `  class ${outside.join(',')} outside`];
  return ['flowchart LR', ...boxes, ...new Set([...links, ...decisions]), ...others, ...styles];
}

/** Nothing for a column that the graph does not have. */
function arrow(
  from: string | undefined,
  line: '-->' | '-.->',
  to: string | undefined,
  label = '',
): readonly string[] {
  if (from === undefined || to === undefined) return [];
  return [`  ${from} ${line}${label === '' ? '' : `|"${label}"|`} ${to}`];
}

function placeLabel({ component, pipeline }: ComponentPlace): string {
  return `${mermaidLabel(component)}<br/>${mermaidLabel(withoutSuffix(pipeline))}`;
}
