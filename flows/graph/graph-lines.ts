import { numberOf } from '../../lib/core/text/number-of.ts';
import type { GraphNode, PipelineGraph } from './pipeline-graph.ts';
import type { TableGraph } from './table-graph.ts';

/** A graph as text: each pipeline, with its calls and the tables that it uses, each with component and line. */
export function graphLines(graph: PipelineGraph & Partial<TableGraph>): readonly string[] {
  const { nodes, calls, tables, uses = [], unknown = [] } = graph;
  const called = Map.groupBy(calls, ({ from }) => from);
  const used = Map.groupBy(uses, ({ pipeline }) => pipeline);
  const labels = new Map(tables?.map(({ name, label }) => [name, label]));
  const streaming = nodes.filter(({ kind }) => kind === 'streaming');
  const own = nodes.filter(({ kind }) => kind === 'orchestration' || kind === 'transformation');
  const outside = tables?.filter(({ created }) => !created) ?? [];
  return [
    ...[...own, ...streaming].flatMap((node) => [
      headOf(node),
      ...(called.get(node.name) ?? []).map(({ to }) => `  calls ${to}`),
      ...(used.get(node.name) ?? []).map(
        ({ effect, table, ...place }) =>
          `  ${effect} ${labels.get(table) ?? table} (${placeOf(node.name, place)})`,
      ),
    ]),
    ...list(
      'Tables that no pipeline creates:',
      outside.map(({ label }) => label),
    ),
    ...list(
      'Not known before a run:',
      unknown.map(({ pipeline, reason, ...place }) => `${pipeline} (${placeOf(pipeline, place)}): ${reason}`),
    ),
    '',
    countLine({ pipelines: own.length, streaming: streaming.length, calls: calls.length, tables, unknown }),
  ];
}

function headOf({ name, kind, entry, sharedId, worst }: GraphNode): string {
  const facts = [
    kind === 'streaming' ? 'streaming pipeline' : kind,
    ...(entry ? ['no pipeline calls it'] : []),
    ...(sharedId === undefined ? [] : [`shared as ${sharedId}`]),
    ...(worst === undefined ? [] : [`worst finding: ${worst}`]),
  ];
  return `${name} (${facts.join(', ')})`;
}

function placeOf(
  pipeline: string,
  { component, file, line }: { readonly component?: string; readonly file: string; readonly line: number },
): string {
  const place = file === pipeline ? `line ${line}` : `${file}, line ${line}`;
  return component === undefined ? place : `component "${component}", ${place}`;
}

function list(title: string, items: readonly string[]): readonly string[] {
  return items.length === 0 ? [] : ['', title, ...items.map((item) => `  ${item}`)];
}

function countLine({
  pipelines,
  streaming,
  calls,
  tables,
  unknown,
}: {
  readonly pipelines: number;
  readonly streaming: number;
  readonly calls: number;
  readonly tables: TableGraph['tables'] | undefined;
  readonly unknown: TableGraph['unknown'];
}): string {
  const counts = [numberOf(pipelines, 'pipeline')];
  if (streaming > 0) counts.push(numberOf(streaming, 'streaming pipeline'));
  counts.push(numberOf(calls, 'call'));
  if (tables !== undefined) counts.push(numberOf(tables.length, 'table'));
  return `${counts.join(', ')}.${unknown.length === 0 ? '' : ` ${unknownSentence(unknown)}`}`;
}

/** The sentence about what the graph cannot show. */
export function unknownSentence(unknown: TableGraph['unknown']): string {
  const pipelines = new Set(unknown.map(({ pipeline }) => pipeline)).size;
  const components = `${numberOf(unknown.length, 'component')} of ${numberOf(pipelines, 'pipeline')}`;
  return `${components} may use tables that the graph does not show.`;
}
