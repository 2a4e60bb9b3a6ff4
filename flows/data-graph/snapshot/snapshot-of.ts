import type { BoundPipeline } from '../../../engine/index.ts';
import { shorten } from '../../../lib/core/text/shorten.ts';
import { type CallTargets, sharedFile } from '../../../lib/pipelines/model/calls.ts';
import type { PipelineDocument } from '../../../lib/pipelines/model/read-pipeline.ts';

import { callTargetsOf } from '../../pipeline-tests/files/project-roots.ts';
import type { TestProject } from '../../pipeline-tests/files/test-project.ts';
import { canonicalSnapshot } from '../../snapshot/canonical-snapshot.ts';
import {
  type Snapshot,
  snapshotFormat,
  type SnapshotPart,
  type SnapshotPipeline,
} from '../../snapshot/snapshot.ts';
import type { DataGraph } from '../bind/bind-project.ts';
import { readText } from '../texts/read-text.ts';
import { definedObjects, usedObjects } from '../texts/sql-objects.ts';
import { allUnreadParts, type UnreadPart } from '../texts/unread-parts.ts';
import { unreadablePipelines } from '../texts/unreadable-pipelines.ts';
import { pipelineCalls } from './pipeline-calls.ts';
import { pipelineMeaning, sha256 } from './pipeline-meaning.ts';
import { fileDigest, pipelineScripts, scriptFiles } from './pipeline-scripts.ts';
import {
  snapshotKey,
  snapshotName,
  snapshotStreaming,
  snapshotTable,
  tableNames,
} from './snapshot-tables.ts';
import { usedVariables } from './used-variables.ts';

/** In characters: reasons may quote a long statement. */
const maxReason = 500;

/**
 * Creates the snapshot of a project from its data graph.
 * @param unread one sentence for each thing that could not be read
 */
export function snapshotOf(graph: DataGraph, unread: readonly string[] = []): Snapshot {
  const { project, areColumnsKnown } = graph;
  const defined = definedObjects(graph);
  const names = tableNames(graph);
  const words = new Set(names.map(({ table }) => table.toLowerCase()));
  const facts: GraphFacts = {
    graph,
    targets: callTargetsOf(project),
    parts: Map.groupBy(allUnreadParts(graph), ({ pipeline }) => pipeline),
    words,
    defined,
    objects: new Set([...defined.values()].flatMap((objects) => [...objects.keys()])),
    unreadable: new Map(
      unreadablePipelines(project).map(({ pipeline, line, column, message }) => [
        pipeline,
        { line, column, message },
      ]),
    ),
  };
  const pipelines = [...graph.pipelines].flatMap(([path, bound]) => {
    const document = project.pipeline(path);
    return document === undefined ? [] : [snapshotPipeline(document, bound, facts)];
  });
  const { files, unread: notRead } = scriptFiles(
    pipelines.flatMap(({ scripts }) => scripts),
    project,
  );
  const shared = sharedOf(project);
  return canonicalSnapshot({
    format: snapshotFormat,
    warehouse: project.kind,
    columns: areColumnsKnown ? 'known' : 'unknown',
    defaults: graph.names.defaults,
    pipelines,
    leftOut: project.pipelines.filter((path) => project.isHidden(path)),
    tables: names.map((table) => snapshotTable(table, graph)),
    files,
    streaming: snapshotStreaming(graph),
    ...(shared === undefined ? {} : { shared }),
    unread: [...unread, ...notRead, ...withoutDocument(graph)],
  });
}

/** Pipelines, and folders with pipelines, that are not plain files and folders: the graph does not have them. */
function withoutDocument({ project, pipelines }: DataGraph): readonly string[] {
  return unreadablePipelines(project).flatMap(({ pipeline, file, message }) =>
    pipelines.has(pipeline) ? [] : [`${file}: ${message}.`],
  );
}

interface GraphFacts {
  readonly graph: DataGraph;
  readonly targets: CallTargets;
  readonly parts: ReadonlyMap<string, readonly UnreadPart[]>;
  /** The names of all tables in lower case. */
  readonly words: ReadonlySet<string>;
  readonly defined: ReturnType<typeof definedObjects>;
  /** The keys of all objects that the project defines. */
  readonly objects: ReadonlySet<string>;
  readonly unreadable: ReadonlyMap<string, SnapshotPipeline['unreadable']>;
}

function snapshotPipeline(
  document: PipelineDocument,
  bound: BoundPipeline,
  { graph, targets, parts, words, defined, objects, unreadable }: GraphFacts,
): SnapshotPipeline {
  const { project } = graph;
  const { path, range, problems } = document;
  const meaning = pipelineMeaning(document, project.kind);
  const scripts = pipelineScripts(document);
  const scriptTexts = scripts.flatMap((script) =>
    script.open === true ? [] : (readText(script.path, project) ?? []),
  );
  const placed = <
    Use extends { readonly component: string; readonly place: { file: string; line: number } },
  >({
    component,
    place: { file, line },
  }: Use) => ({ component, line, ...(file === path ? {} : { file }) });
  const fault = unreadable.get(path);
  const uses = objects.size === 0 ? [] : [...usedObjects(path, graph, (key) => objects.has(key))];
  return {
    path,
    digest: problems.length > 0 ? rawDigest(document, project) : meaning.digest,
    line: range.line,
    ...(fault === undefined ? {} : { unreadable: fault }),
    components: meaning.components,
    variables: meaning.variables,
    uses: usedVariables(document, scriptTexts),
    connectors: connectorsOf(document),
    calls: pipelineCalls(document, meaning, targets),
    scripts,
    reads: bound.reads.map((read) => ({
      ...placed(read),
      table: snapshotKey(read.table),
      columns: read.columns,
      ...(read.readsAll ? { all: true } : {}),
      ...(read.isBound ? {} : { unbound: true }),
    })),
    writes: bound.writes.map((write) => ({
      ...placed(write),
      table: snapshotKey(write.table),
      mode: write.mode,
    })),
    open: [
      ...bound.open.map(({ table, component, place, effect }) => ({
        name: snapshotName(table),
        component,
        line: place.line,
        effect,
      })),
      ...patternReads(document),
    ],
    unknown: bound.unknown.map((each) => ({
      ...placed(each),
      reason: shorten(each.reason, maxReason),
      tables: each.tables.map(snapshotKey),
      ...(each.isAfterOther ? { after: true } : {}),
    })),
    parts: (parts.get(path) ?? []).map((part) => partOf(part, words)),
    defines: [...(defined.get(path) ?? [])].map(([key, name]) => ({ key, name })),
    objects: uses.map(([key, line]) => ({ key, line })),
  };
}

/**
 * Components that read all tables whose names match a pattern. The binding knows the tables whose columns are known; the others may be
 * any that fit.
 */
function patternReads({ components }: PipelineDocument): SnapshotPipeline['open'] {
  return [...components.values()].flatMap(({ name, type, range, skipped, text }) => {
    const pattern = type === 'multi-table-input' && !skipped ? (text('pattern') ?? '') : '';
    const table = pattern.replaceAll(/\$\{[^}]*\}|[%_]/g, '*');
    return pattern === ''
      ? []
      : [{ name: ['*', '*', table] as const, component: name, line: range.line, effect: 'read' as const }];
  });
}

/** Without names that are known only at run time. */
function connectorsOf({ components }: PipelineDocument): readonly string[] {
  const names = [...components.values()].map((component) => component.text('profile')?.trim() ?? '');
  return [...new Set(names)].filter((name) => name !== '' && !name.includes('${'));
}

/** Of a file that cannot be read, all that is in it counts. */
function rawDigest({ path, fault, source }: PipelineDocument, project: TestProject): string {
  return fault === undefined && source.text !== ''
    ? sha256(source.text).slice(0, 32)
    : fileDigest(path, project);
}

/** Only the words that name tables of the project: others may be anything that code has. */
function partOf(
  { component, line, words, open, written }: UnreadPart,
  tables: ReadonlySet<string>,
): SnapshotPart {
  return {
    component,
    line,
    words: [...words].flatMap(([word, count]) => (count > 0 && tables.has(word) ? [word] : [])),
    open,
    writes: written.map(({ words: own, isAny }) => ({
      words: [...own].filter((word) => tables.has(word)),
      ...(isAny ? { any: true } : {}),
    })),
  };
}

function sharedOf(project: TestProject): Snapshot['shared'] {
  const { shared } = project;
  if (shared === undefined) return undefined;
  return {
    prefix: shared.prefix,
    pipelines: [...shared.pipelines].map(([id, pipeline]) => {
      const path = sharedFile(pipeline, project);
      return { id, pipeline, ...(path === undefined ? {} : { path }) };
    }),
  };
}
