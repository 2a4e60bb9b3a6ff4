import { type Call, calledPath, callsOf, isOwnCall } from '../../../lib/pipelines/model/calls.ts';
import type { CallTargets } from '../../../lib/pipelines/model/calls.ts';
import type { Component } from '../../../lib/pipelines/model/component.ts';
import { codeTypes, flowTypes } from '../../../lib/pipelines/model/component-types.ts';
import { type ComponentGraph, componentGraph, reachable } from '../../../lib/pipelines/model/graph.ts';
import { updatesVariables } from '../../../lib/pipelines/model/updated-variables.ts';
import type { PipelineDocument } from '../../../lib/pipelines/model/read-pipeline.ts';
import { isEmpty } from '../../../lib/yaml/yaml-node.ts';
import type { SnapshotCall } from '../../snapshot/snapshot.ts';
import { textsOf } from '../texts/mentioned-tables.ts';
import { type PipelineMeaning, sha256 } from './pipeline-meaning.ts';

/** Types that set variables from data. */
const fromData: ReadonlySet<string> = new Set([
  'query-to-scalar',
  'query-to-grid',
  'table-iterator',
  'table-metadata-to-grid',
  ...codeTypes,
]);
const deciding: ReadonlySet<string> = new Set([...flowTypes, ...fromData]);

/**
 * The calls of a pipeline. The digest of each call covers what decides whether it is reached, and with which
 * values.
 */
export function pipelineCalls(
  document: PipelineDocument,
  meaning: PipelineMeaning,
  targets: CallTargets,
): readonly SnapshotCall[] {
  const calls = callsOf(document);
  if (calls.length === 0) return [];
  const graph = componentGraph(document);
  return calls.map((call): SnapshotCall => {
    const { component, kind, target, version, dynamic } = call;
    const path = calledPath(call, targets);
    const { ways, leading } = waysTo(call, document, graph);
    const usesValues = usesVariables(leading);
    const context = [
      ways,
      ...leading.map(({ name }) => meaning.parameters.get(name)),
      ...(usesValues ? [meaning.declarations] : []),
    ];
    return {
      component: component.name,
      line: component.range.line,
      kind,
      target,
      ...(version === undefined ? {} : { version }),
      ...(path === undefined ? {} : { path }),
      ...(dynamic ? { dynamic } : {}),
      ...(isOwnCall(call, targets) ? { own: true } : {}),
      ...(updatesVariables(component) ? { result: true } : {}),
      ...(dependsOnData(component, leading) ? { fromData: true } : {}),
      ...(usesValues ? { fromVariables: true } : {}),
      context: sha256(context.join('\n')).slice(0, 16),
    };
  });
}

/** What leads to a call: components and edges as a text, and the components that decide, in the order of their names. */
function waysTo(
  { component }: Call,
  document: PipelineDocument,
  graph: ComponentGraph,
): { readonly ways: string; readonly leading: readonly Component[] } {
  const names = reachable([component.name], (name) => graph.to(name).map(({ from }) => from));
  const edges = graph.edges.filter(({ from, to }) => names.has(from) && names.has(to));
  const leading = [...names].toSorted().flatMap((name) => document.components.get(name) ?? []);
  const isHandled = new Set(edges.filter(({ by }) => by === 'failure').map(({ from }) => from));
  return {
    ways: JSON.stringify([
      leading.map(({ name, type, skipped }) => JSON.stringify([name, type, skipped])).toSorted(),
      edges.map((edge) => JSON.stringify([edge.from, edge.by, edge.to])).toSorted(),
    ]),
    leading: leading.filter(
      (each) => deciding.has(each.type) || isHandled.has(each.name) || updatesVariables(each),
    ),
  };
}

/** What a call sets after itself decides about it only if it is repeated. */
function dependsOnData(call: Component, leading: readonly Component[]): boolean {
  const isRepeated = leading.some(({ type }) => type === 'retry' || type.endsWith('-iterator'));
  return leading.some(
    (each) => fromData.has(each.type) || (updatesVariables(each) && (each !== call || isRepeated)),
  );
}

function usesVariables(components: readonly Component[]): boolean {
  return components.some(
    (component) =>
      component.type === 'if' ||
      component.type.endsWith('-iterator') ||
      !isEmpty(component.parameter('setGridVariables')) ||
      textsOf(component).some((text) => text.includes('${')),
  );
}
