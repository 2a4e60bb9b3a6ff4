import { isSameSql } from '../../../engine/index.ts';
import { type Call, calledPath, callsOf } from '../../../lib/pipelines/model/calls.ts';
import type { Component } from '../../../lib/pipelines/model/component.ts';
import { codeTypes, flowTypes } from '../../../lib/pipelines/model/component-types.ts';
import { type ComponentGraph, componentGraph, reachable } from '../../../lib/pipelines/model/graph.ts';
import { withoutSuffix } from '../../../lib/pipelines/model/pipeline-kind.ts';
import type { PipelineDocument } from '../../../lib/pipelines/model/read-pipeline.ts';
import { isEmpty } from '../../../lib/yaml/yaml-node.ts';
import type { Edge } from './affected-edges.ts';
import type { DataGraph } from '../bind/bind-project.ts';
import { parameterChange, variableChange } from '../change/changed-content.ts';
import type { ChangedPipeline } from './changed-pipelines.ts';
import { textsOf } from '../texts/mentioned-tables.ts';

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
 * From callers to what they call: a caller that changed may call otherwise than before or not at all, and one that reads a table may
 * pass other values. Then the called pipeline writes other data, although it is the same.
 */
export function passedEdges(
  graph: DataGraph,
  before: DataGraph,
  changed: readonly ChangedPipeline[],
): readonly Edge[] {
  const edges: Edge[] = [];
  const add = (from: string, to: string, how: string) =>
    edges.push({ from, to, line: 1, how, table: undefined, isSure: true, movesData: true });
  const passing = new Set<string>();
  for (const { pipeline } of changed)
    for (const called of otherCalls(pipeline, graph, before)) {
      passing.add(called);
      add(pipeline, called, `is called by ${withoutSuffix(pipeline)}, which no longer calls it as before`);
    }
  // The loop also visits what it adds.
  for (const pipeline of passing)
    for (const { called, at } of calls(pipeline, graph))
      if (usesVariables(at.deciding)) {
        passing.add(called);
        add(pipeline, called, `is called by ${withoutSuffix(pipeline)}, which may pass on other values`);
      }
  for (const pipeline of graph.pipelines.keys())
    for (const { called, at } of calls(pipeline, graph))
      if (at.deciding.some(setsFromData))
        add(pipeline, called, `is called by ${withoutSuffix(pipeline)}, with values or conditions from data`);
  return edges.filter(({ from, to }) => from !== to);
}

interface MadeCall {
  readonly call: Call;
  readonly called: string;
  readonly at: CallContext;
}

function calls(pipeline: string, { project }: DataGraph): readonly MadeCall[] {
  const document = project.pipeline(pipeline);
  if (document === undefined || document.problems.length > 0) return [];
  const graph = componentGraph(document);
  return callsOf(document).flatMap((call) => {
    const called = calledPath(call, project);
    return called === undefined ? [] : [{ call, called, at: contextOf(call, document, graph) }];
  });
}

/** What decides whether a call is reached, and with which values. */
interface CallContext {
  readonly document: PipelineDocument;
  /** Components that lead to it, and itself, with the edges between them. */
  readonly ways: string;
  readonly deciding: readonly Component[];
}

function contextOf({ component }: Call, document: PipelineDocument, graph: ComponentGraph): CallContext {
  const names = reachable([component.name], (name) => graph.to(name).map(({ from }) => from));
  const edges = graph.edges.filter(({ from, to }) => names.has(from) && names.has(to));
  const leading = [...names].flatMap((name) => document.components.get(name) ?? []);
  const isHandled = new Set(edges.filter(({ by }) => by === 'failure').map(({ from }) => from));
  return {
    document,
    ways: JSON.stringify([
      leading.map(({ name, type, skipped }) => JSON.stringify([name, type, skipped])).toSorted(),
      edges.map((edge) => JSON.stringify([edge.from, edge.by, edge.to])).toSorted(),
    ]),
    deciding: leading.filter(
      (each) => deciding.has(each.type) || isHandled.has(each.name) || hasPostProcessing(each),
    ),
  };
}

function hasPostProcessing(component: Component): boolean {
  return !isEmpty(component.node('postProcessing'));
}

function setsFromData(component: Component): boolean {
  return fromData.has(component.type) || hasPostProcessing(component);
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

/** The pipelines that a pipeline does not call as it did, or that it calls only now or only before. */
function otherCalls(pipeline: string, graph: DataGraph, before: DataGraph): ReadonlySet<string> {
  const [now, old] = [calls(pipeline, graph), calls(pipeline, before)];
  const oldByName = new Map(old.map((each) => [each.call.component.name, each]));
  const other = new Set<string>();
  for (const each of now) {
    const was = oldByName.get(each.call.component.name);
    if (was?.called === each.called && isSameContext(each.at, was.at, graph)) {
      oldByName.delete(each.call.component.name);
      continue;
    }
    other.add(each.called);
  }
  for (const { called } of oldByName.values()) if (graph.project.has(called)) other.add(called);
  return other;
}

function isSameContext(now: CallContext, before: CallContext, { project: { kind } }: DataGraph): boolean {
  if (now.ways !== before.ways) return false;
  if (usesVariables(now.deciding) && haveOtherVariables(now.document, before.document)) return false;
  const how = {
    source: now.document.source,
    isSame: (sql: string, old: string) => isSameSql(sql, old, kind),
  };
  return now.deciding.every((component) => {
    const old = before.document.components.get(component.name);
    return old !== undefined && parameterChange(component, old, how) === undefined;
  });
}

function haveOtherVariables(now: PipelineDocument, before: PipelineDocument): boolean {
  return variableChange(now, before) !== undefined || variableChange(before, now) !== undefined;
}
