import { createHash } from 'node:crypto';
import type { WarehouseKind } from '../../../engine/index.ts';
import type { Range } from '../../../lib/core/outcomes/finding.ts';
import type { Component } from '../../../lib/pipelines/model/component.ts';
import type { PipelineDocument } from '../../../lib/pipelines/model/read-pipeline.ts';
import { LineIndex } from '../../../lib/yaml/text-position.ts';
import { entryAt, type YamlPath } from '../../../lib/yaml/read-yaml.ts';
import type { YamlNode } from '../../../lib/yaml/yaml-node.ts';
import { componentFaults } from './component-faults.ts';
import type { Fault } from './fault.ts';
import { aroundOf, type FindFaults, type Part, type PartFault } from './part-faults.ts';
import { sqlFaults } from './sql-faults.ts';
import { readSql } from './sql-structure.ts';
import { swappedBranches, withoutTransition } from './transition-faults.ts';
import { editsOf, spansIn } from './yaml-change.ts';

/** All changes that can be planted into a pipeline, in the order of the file. Empty for a file that cannot be read. */
export function pipelineFaults(document: PipelineDocument, kind: WarehouseKind): readonly Fault[] {
  if (document.problems.length > 0) return [];
  const known = new Map<string, number>();
  return [...document.components.values()]
    .filter(({ skipped }) => !skipped)
    .flatMap((component) => partsOf(component, document, kind))
    .flatMap(({ part, name, find }) =>
      find(part).flatMap((fault) => placed(fault, { part, name, known }) ?? []),
    )
    .toSorted((a, b) => a.line - b.line || a.column - b.column);
}

/** All changes that can be planted into a file with SQL, in the order of the file. */
export function sqlFileFaults(file: string, text: string, kind: WarehouseKind): readonly Fault[] {
  // A byte order mark does not belong to the SQL. A blank in its place keeps the offsets.
  const script = readSql(text.replace(/^\u{feff}/u, ' '), kind, { isExpression: false });
  if (script === undefined) return [];
  const lines = new LineIndex(text);
  const known = new Map<string, number>();
  return sqlFaults(script).map(({ kind: faultKind, before, after, edits, at }) => {
    const context = aroundOf(text, at);
    const id = idOf([file, '', '', faultKind, before, after, context], known);
    const range = lines.range(at.start, at.end);
    return { id, file, component: undefined, part: '', kind: faultKind, before, after, edits, ...range };
  });
}

interface NamedPart {
  readonly part: Part;
  readonly name: string;
  readonly find: FindFaults;
}

function partsOf(
  component: Component,
  document: PipelineDocument,
  kind: WarehouseKind,
): readonly NamedPart[] {
  const base: YamlPath = ['pipeline', 'components', component.name];
  const named = (name: string, node: YamlNode | undefined, path: YamlPath, find: readonly FindFaults[]) =>
    node === undefined
      ? []
      : find.map((each) => ({ part: { document, component, kind, path, node }, name, find: each }));
  const parameters = Object.entries(componentFaults[component.type] ?? {}).flatMap(([name, find]) => {
    if (!isUsed(component, name)) return [];
    const isSources = name === 'sources';
    const node = isSources ? component.node(name) : component.parameter(name);
    return named(name, node, [...base, ...(isSources ? [] : ['parameters']), name], find);
  });
  const transitions = [withoutTransition, ...(component.type === 'if' ? [swappedBranches] : [])];
  return [
    ...parameters,
    ...named('transitions', component.node('transitions'), [...base, 'transitions'], transitions),
  ];
}

const ofQueries: ReadonlySet<string> = new Set(['query-to-scalar', 'query-to-grid', 'table-iterator']);

/** Whether a component reads a parameter: some have another mode, and keep old values. */
function isUsed(component: Component, name: string): boolean {
  const textOf = (key: string) => component.text(key)?.trim().toLowerCase() ?? '';
  if (component.type === 'sql-executor') return textOf('scriptLocation') !== 'file';
  if (component.type === 'if') return (name === 'condition1') === (textOf('mode') === 'advanced');
  if (!ofQueries.has(component.type)) return true;
  return (name === 'query') === (textOf('mode') !== 'basic');
}

function placed(
  fault: PartFault,
  { part, name, known }: { part: Part; name: string; known: Map<string, number> },
): Fault | undefined {
  const { document, component } = part;
  const { source, path: file } = document;
  const edits = editsOf(source, fault.changes);
  const range = edits === undefined ? undefined : rangeOf(fault, part);
  if (edits === undefined || range === undefined) return undefined;
  const { kind, before, after, transition, context } = fault;
  const id = idOf([file, component.name, name, kind, before, after, context], known);
  return {
    id,
    file,
    component: component.name,
    part: name,
    kind,
    before,
    after,
    transition,
    edits,
    ...range,
  };
}

function rangeOf({ at }: PartFault, { document: { source } }: Part): Range | undefined {
  if (!('path' in at)) return source.toRange(at);
  const node = entryAt(source.root, at.path)?.value;
  const span = node?.kind === 'scalar' ? spansIn(node, source)(at.start, at.end) : undefined;
  return span && source.toRange(span);
}

/** Of equal changes, the first has the id of its parts, and each other one counts. */
function idOf(parts: readonly string[], known: Map<string, number>): string {
  const key = JSON.stringify(parts);
  const count = known.get(key) ?? 0;
  known.set(key, count + 1);
  const digest = createHash('sha256').update(count === 0 ? key : `${key}${count}`);
  // Not hexadecimal digits: GitHub would take them for a commit.
  return BigInt(`0x${digest.digest('hex')}`)
    .toString(36)
    .slice(-6);
}
