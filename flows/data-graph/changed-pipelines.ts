import { isSameSql } from '../../engine/index.ts';
import { sharedReferenceOf, callsOf } from '../../lib/pipelines/model/calls.ts';
import type { Component } from '../../lib/pipelines/model/component.ts';
import type { PipelineDocument } from '../../lib/pipelines/model/read-pipeline.ts';
import { scriptFacts } from '../../lib/pipelines/checks/missing-file.ts';
import { isEmpty, type YamlNode } from '../../lib/yaml/yaml-node.ts';
import { kindOf } from '../../lib/pipelines/model/pipeline-kind.ts';
import type { TestProject } from '../pipeline-tests/files/test-project.ts';
import { readText } from './read-text.ts';
import { sqlTexts } from './sql-texts.ts';

/** A project before a change. */
export interface ProjectBefore {
  readonly project: TestProject;
  /** Files that differ, by their paths now; a deleted one by its old path. */
  readonly changed: ReadonlyMap<string, unknown>;
  /** The old path of each renamed file, by its path now. */
  readonly renamed: ReadonlyMap<string, string>;
}

/** A pipeline that does something else than before, or whose files do. */
export interface ChangedPipeline {
  /** The path now; of a deleted pipeline, the old path. */
  readonly pipeline: string;
  /** The line of the first change; undefined for a deleted pipeline. */
  readonly line: number | undefined;
  /** What has changed: the end of a sentence that begins with the pipeline. */
  readonly what: string;
}

/**
 * The pipelines that changed by what they mean. The canvas, comments, quotes, the order of keys and the form of a text mean nothing; of
 * SQL, blanks, comments and the case of words neither. A file with a script and the list of shared pipelines change the pipelines that
 * use them.
 */
export function changedPipelines(project: TestProject, before: ProjectBefore): readonly ChangedPipeline[] {
  const paths = project.pipelines.filter((path) => !project.isHidden(path));
  const old = new Set(before.renamed.values());
  const deleted = before.project.pipelines.filter((path) => !project.has(path) && !old.has(path));
  return [
    ...paths.flatMap((path) => changeOf(path, project, before) ?? []),
    ...deleted.map((pipeline) => ({ pipeline, line: undefined, what: 'is deleted' })),
  ];
}

function changeOf(path: string, project: TestProject, before: ProjectBefore): ChangedPipeline | undefined {
  const document = project.pipeline(path);
  if (document === undefined) return undefined;
  const at = (line: number, what: string) => ({ pipeline: path, line, what });
  const oldPath = before.renamed.get(path) ?? path;
  const previous = before.project.pipeline(oldPath);
  const { line } = document.range;
  if (before.project.kind !== project.kind) return at(line, 'runs on another kind of warehouse');
  if (previous === undefined) return at(line, 'is new');
  if (oldPath !== path) return at(line, `was ${oldPath}`);
  const isSame: CompareSql = (sql, oldSql) => isSameSql(sql, oldSql, project.kind);
  const own = before.changed.has(path) ? contentChange(document, previous, isSame) : undefined;
  if (own !== undefined) return at(own, `changed at line ${own}`);
  const script = scriptFacts(document).find(
    (fact) => fact.path !== undefined && isOtherScript(fact.path, fact.isSql ?? false, project, before),
  );
  if (script !== undefined) return at(script.range.line, `runs ${script.path}, which changed`);
  const { sharedSource, shared } = project;
  if (sharedSource === undefined || !before.changed.has(sharedSource.file)) return undefined;
  const call = callsOf(document).find(({ target }) => sharedReferenceOf(target)?.prefix === shared?.prefix);
  return call && at(call.component.range.line, `calls a shared pipeline, and ${sharedSource.file} changed`);
}

/** Whether the file of a script changed, and not only in the form of its SQL. */
function isOtherScript(path: string, isSql: boolean, project: TestProject, before: ProjectBefore): boolean {
  if (!before.changed.has(path)) return false;
  const [now, old] = isSql ? [readText(path, project), readText(path, before.project)] : [];
  return now === undefined || old === undefined || !isSameSql(now, old, project.kind);
}

/** Whether a file differs, and does the same as before: a pipeline, or a script of one. */
export function isSameByMeaning(path: string, project: TestProject, before: ProjectBefore): boolean {
  if (kindOf(path) === undefined) return !isOtherScript(path, /\.sql$/i.test(path), project, before);
  return project.has(path) && changeOf(path, project, before) === undefined;
}

type CompareSql = (now: string, before: string) => boolean;

/** The line of the first part that means something else; undefined if the whole pipeline means the same. */
function contentChange(
  now: PipelineDocument,
  before: PipelineDocument,
  isSame: CompareSql,
): number | undefined {
  if (now.problems.length > 0 || before.problems.length > 0) return now.range.line;
  for (const [name, component] of now.components) {
    const old = before.components.get(name);
    if (old === undefined) return component.range.line;
    const line = componentChange(component, old, { source: now.source, isSame });
    if (line !== undefined) return line;
  }
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
  const isLess = now.components.size < before.components.size || now.variables.size < before.variables.size;
  return isLess ? now.range.line : undefined;
}

function componentChange(
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
