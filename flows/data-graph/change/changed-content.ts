import { runOrder } from '../../../engine/index.ts';
import type { Component } from '../../../lib/pipelines/model/component.ts';
import type { PipelineDocument } from '../../../lib/pipelines/model/read-pipeline.ts';
import { isEmpty, type YamlNode } from '../../../lib/yaml/yaml-node.ts';
import { sqlTexts } from '../texts/sql-texts.ts';

export type CompareSql = (now: string, before: string) => boolean;

/**
 * The line of the first part that means something else; undefined if the whole pipeline means the same. The order of components means
 * something only where a run follows it.
 */
export function contentChange(
  now: PipelineDocument,
  before: PipelineDocument,
  isSame: CompareSql,
): number | undefined {
  if (now.problems.length > 0 || before.problems.length > 0) return now.range.line;
  for (const [name, component] of now.components) {
    const old = before.components.get(name);
    if (old === undefined) return component.range.line;
    const line =
      parameterChange(component, old, { source: now.source, isSame }) ?? flowChange(component, old);
    if (line !== undefined) return line;
  }
  const variable = variableChange(now, before);
  if (variable !== undefined) return variable;
  const isLess = now.components.size < before.components.size || now.variables.size < before.variables.size;
  if (isLess) return now.range.line;
  const oldOrder = runOrder(before);
  const moved = runOrder(now).find((name, index) => name !== oldOrder[index]);
  return moved === undefined ? undefined : now.components.get(moved)?.range.line;
}

/** The line of the first variable that is new or has another declaration. */
export function variableChange(now: PipelineDocument, before: PipelineDocument): number | undefined {
  for (const [
    name,
    { range, type, scope, visibility, columns, columnTypes, defaultValue },
  ] of now.variables) {
    const old = before.variables.get(name);
    const parts = [type, scope, visibility, columns, columnTypes, defaultValue];
    const oldParts = old && [
      old.type,
      old.scope,
      old.visibility,
      old.columns,
      old.columnTypes,
      old.defaultValue,
    ];
    if (JSON.stringify(parts) !== JSON.stringify(oldParts)) return range.line;
  }
  return undefined;
}

/** The line of the first parameter that means something else. */
export function parameterChange(
  now: Component,
  before: Component,
  { source, isSame }: Pick<PipelineDocument, 'source'> & { readonly isSame: CompareSql },
): number | undefined {
  const sql = sqlTexts(now);
  const isSameScalar: CompareScalars = (node, old) =>
    meaningOf(node) === meaningOf(old) ||
    (sql.has(node) && !isEmpty(node) && !isEmpty(old) && isSame(node.text, old.text));
  for (const key of ['parameters', 'postProcessing'] as const) {
    const changed = firstDifference(now.node(key), before.node(key), isSameScalar);
    if (changed === 'gone') return now.range.line;
    if (changed !== undefined) return source.toRange(changed).line;
  }
  return undefined;
}

function flowChange(now: Component, before: Component): number | undefined {
  const flowOf = ({ type, sources, skipped, iterationTarget, transitions }: Component) =>
    JSON.stringify([type, sources, skipped, iterationTarget, transitions]);
  return flowOf(now) === flowOf(before) ? undefined : now.range.line;
}

type Scalar = Extract<YamlNode, { kind: 'scalar' }>;
type CompareScalars = (now: Scalar, before: Scalar) => boolean;

/** The first node with another meaning; `gone` if something is not there any more. */
function firstDifference(
  now: YamlNode | undefined,
  before: YamlNode | undefined,
  isSame: CompareScalars,
): YamlNode | 'gone' | undefined {
  if (now === undefined) return before === undefined ? undefined : 'gone';
  if (before === undefined || now.kind !== before.kind) return now;
  if (now.kind === 'scalar') return before.kind === 'scalar' && isSame(now, before) ? undefined : now;
  if (now.kind === 'list') {
    const old = before.kind === 'list' ? before.items : [];
    for (const [index, item] of now.items.entries()) {
      const different = firstDifference(item, old[index], isSame);
      if (different !== undefined) return different === 'gone' ? item : different;
    }
    return old.length > now.items.length ? now : undefined;
  }
  const old = before.kind === 'map' ? before.entries : new Map<string, never>();
  for (const [key, { value }] of now.entries) {
    const different = firstDifference(value, old.get(key)?.value, isSame);
    if (different !== undefined) return different === 'gone' ? value : different;
  }
  return old.size > now.entries.size ? now : undefined;
}

/** An empty value and the text `null` differ, `1` and `"1"` do not: the platform reads texts. */
function meaningOf(node: Scalar): string | null {
  return node.value === null ? null : node.text;
}
