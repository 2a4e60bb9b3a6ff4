import type { BoundPipeline } from '../../engine/index.ts';
import {
  parametersByMeaning,
  type PlainComponent,
  type PlainPipeline,
  spelled,
  textIn,
} from './plain-pipeline.ts';
import { plainSql } from './plain-sql.ts';

/** A commit as the library `yaml` and git read it, with the edges that the product draws. */
export interface HistorySide {
  /** The texts of all files. */
  readonly files: ReadonlyMap<string, string>;
  readonly pipelines: ReadonlyMap<string, PlainPipeline>;
  /** By caller: the pipelines that it calls, as `millrace graph --json --calls-only` lists them. */
  readonly calls: ReadonlyMap<string, readonly string[]>;
  /** The reads and writes of a full bind. */
  readonly bound: ReadonlyMap<string, BoundPipeline>;
}

/** The pipelines that mean something else than before, or that are new, deleted or moved. */
export function expectedChanged(
  now: HistorySide,
  before: HistorySide,
  renamed: ReadonlyMap<string, string>,
): ReadonlySet<string> {
  const changed = new Set<string>();
  const moved = new Set(renamed.values());
  for (const [path, pipeline] of now.pipelines) {
    const old = before.pipelines.get(path);
    const isOther =
      old === undefined ||
      meaningOf(pipeline, now) !== meaningOf(old, before) ||
      targetsOf(pipeline, now, before) !== targetsOf(old, before, now);
    if (isOther) changed.add(path);
  }
  for (const path of before.pipelines.keys())
    if (!now.pipelines.has(path) && !moved.has(path)) changed.add(path);
  return changed;
}

/** What a pipeline and its scripts say. */
function meaningOf(pipeline: PlainPipeline, { files, bound }: HistorySide): string {
  const { components, variables, path, text } = pipeline;
  if (components === undefined) return text;
  const { writes = [] } = bound.get(path) ?? {};
  const writers = new Set(writes.map(({ component }) => component));
  const list = [...components.values()].map((component) => [
    component.name,
    component.type,
    component.isSkipped,
    component.arrows,
    spelled(parametersByMeaning(component)),
    spelled(component.after),
    scriptsOf(component, files.keys()).map((file) => [file, scriptMeaning(file, component, files)]),
  ]);
  return JSON.stringify([
    list.map((part) => JSON.stringify(part)).toSorted(),
    meaningOfVariables(variables),
    pipeline.isTransformation ? runOrder([...components.values()]).filter((name) => writers.has(name)) : [],
  ]);
}

/** Descriptions explain only. */
export function meaningOfVariables(variables: PlainPipeline['variables']): string {
  return spelled(variables)
    .replaceAll(/"description":(?:"(?:[^"\\]|\\.)*"|null),?/g, '')
    .replaceAll(',}', '}');
}

/** Rounds of components whose sources ran before, each in the order of the file. */
function runOrder(components: readonly PlainComponent[]): readonly string[] {
  const left = new Map(components.map((component) => [component.name, component]));
  const order: string[] = [];
  while (left.size > 0) {
    const ready = [...left.values()].filter(
      ({ arrows }) => !arrows.some(({ kind, name }) => kind === 'source' && left.has(name)),
    );
    if (ready.length === 0) return components.map(({ name }) => name);
    for (const { name } of ready) {
      order.push(name);
      left.delete(name);
    }
  }
  return order;
}

/** The parameters with the name of a script in a file. */
const scriptParameters = ['fileName', 'pythonScriptLocation'];

/** The files that a component may run: each one that fits, if the name has a variable. */
export function scriptsOf(component: PlainComponent, files: Iterable<string>): readonly string[] {
  return scriptParameters.flatMap((parameter) => {
    const written = textIn(component.parameters, parameter)
      .trim()
      .replace(/^(?:\.?\/)+/, '');
    if (written === '' || !isScriptOf(component, parameter, written)) return [];
    if (!written.includes('${')) return [written];
    const fits = new RegExp(
      `^${written
        .split(/\$\{[^}]*\}/)
        .map(RegExp.escape)
        .join('.*')}$`,
      's',
    );
    return [...files].filter((file) => fits.test(file));
  });
}

function isScriptOf({ type, parameters }: PlainComponent, parameter: string, written: string): boolean {
  if (parameter === 'pythonScriptLocation') return type.startsWith('python-') || written.includes('${');
  const isFile = textIn(parameters, 'scriptLocation').trim().toLowerCase() === 'file';
  return written.includes('${') || (type === 'sql-executor' && isFile);
}

function scriptMeaning(
  file: string,
  { type }: PlainComponent,
  files: HistorySide['files'],
): string | undefined {
  const text = files.get(file);
  return text === undefined || type !== 'sql-executor' ? text : JSON.stringify(plainSql(text));
}

/**
 * Where the calls of a pipeline lead. Only pipelines that exist on both sides count: of a new or deleted one, the pipeline itself is what
 * changed.
 */
function targetsOf({ path }: PlainPipeline, side: HistorySide, other: HistorySide): string {
  const targets = (side.calls.get(path) ?? []).filter(
    (target) => side.pipelines.has(target) && other.pipelines.has(target),
  );
  return JSON.stringify([...new Set(targets)].toSorted());
}
