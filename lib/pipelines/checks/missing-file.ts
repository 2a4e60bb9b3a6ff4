import { comparisonBudget } from '../../core/text/closest-word.ts';
import { hintAt } from '../../core/text/look-alike.ts';
import { visibleText } from '../../core/text/visible-text.ts';
import { type WordIndex, wordIndex } from '../../core/text/word-index.ts';
import type { Range } from '../../core/outcomes/finding.ts';
import type { YamlNode } from '../../yaml/yaml-node.ts';
import { textOf } from '../../yaml/yaml-node.ts';
import type { Component } from '../model/component.ts';
import type { PipelineDocument } from '../model/read-pipeline.ts';
import type { CheckBreach } from './breach.ts';

/** The file that contains the script of a component. */
export interface ScriptFact {
  readonly component: string;
  /** The name as written; empty if the component names no file and contains no script. */
  readonly written: string;
  /** Relative to the project; undefined if the file cannot be in it. */
  readonly path: string | undefined;
  /** The range of the name, or of the component. */
  readonly range: Range;
  /** Whether the file has SQL. */
  readonly isSql?: boolean;
  /** Whether the platform replaces `${name}` in the file. */
  readonly replaces?: boolean;
  /** If the component has no script: what it lacks and which parameters set it, as the end of a sentence. */
  readonly lacks?: string;
}

/** The parameters that name a file of the project. */
export const scriptParameters = ['fileName', 'pythonScriptLocation'] as const;

/**
 * The script files that the components of a document name, except names with a variable, and the components that
 * need a file but name none.
 */
export function scriptFacts({ components, source }: PipelineDocument): readonly ScriptFact[] {
  return [...components.values()].flatMap((component) => {
    const place = scriptPlace(component);
    if (place === undefined) return [];
    const { node, lacks } = place;
    const written = textOf(node) ?? '';
    if (written.includes('${')) return [];
    const { name, range } = component;
    if (node !== undefined && written.trim() !== '')
      return {
        component: name,
        written,
        path: scriptPath(written),
        range: source.toRange(node),
        isSql: component.type === 'sql-executor',
        replaces: replacesVariables(component),
      };
    return lacks === undefined ? [] : { component: name, written: '', path: undefined, range, lacks };
  });
}

/** The path of a script in the project, from the text of a parameter; undefined if it leads out of the project. */
export function scriptPath(written: string): string | undefined {
  const path = written.trim().replace(/^(?:\.?\/)+/, '');
  return path.split('/').includes('..') ? undefined : path;
}

/** By type of component: the parameter with a script of Python that is written in the component. */
const inlinePython = new Map([
  ['python-script', 'script'],
  ['python-pushdown', 'pythonScript'],
]);

/** By type of component: the parameter with its SQL, which it needs in any case or in the mode Advanced only. */
const inlineSql = new Map([
  ['sql-script', { parameter: 'sqlScript', isOfMode: false }],
  ['sql', { parameter: 'query', isOfMode: false }],
  ['query-to-scalar', { parameter: 'query', isOfMode: true }],
  ['query-to-grid', { parameter: 'query', isOfMode: true }],
  ['table-iterator', { parameter: 'query', isOfMode: true }],
]);

interface ScriptPlace {
  /** The name of the file. */
  readonly node: YamlNode | undefined;
  readonly lacks: string | undefined;
}

/** Where a component names its file, and what it lacks if it names none. Undefined for a component that needs no script. */
function scriptPlace(component: Component): ScriptPlace | undefined {
  const { type } = component;
  const python = inlinePython.get(type);
  if (python !== undefined) {
    const lacks = hasText(component, python)
      ? undefined
      : `no script: set pythonScriptLocation or ${python}.`;
    return { node: component.parameter('pythonScriptLocation'), lacks };
  }
  if (type === 'sql-executor') return executorPlace(component);
  const sql = inlineSql.get(type);
  if (sql === undefined || hasSql(component, sql.parameter)) return undefined;
  const mode = component.text('mode')?.trim().toLowerCase() ?? 'advanced';
  if (sql.isOfMode && mode !== 'advanced') return undefined;
  return { node: undefined, lacks: `no SQL: set ${sql.parameter}.` };
}

function executorPlace(component: Component): ScriptPlace | undefined {
  const location = component.text('scriptLocation')?.trim().toLowerCase() ?? 'component';
  if (location === 'file')
    return { node: component.parameter('fileName'), lacks: 'no file with its script: set fileName.' };
  if (location.includes('${')) return undefined;
  if (location !== 'component') {
    const lacks = `an unknown scriptLocation, "${visibleText(location)}": write "Component" or "File".`;
    return { node: undefined, lacks };
  }
  if (hasSql(component, 'sqlScript')) return undefined;
  const hasFile = hasText(component, 'fileName');
  const lacks = hasFile
    ? 'no script: it names a file, so set scriptLocation to "File".'
    : 'no script: set sqlScript, or fileName and scriptLocation: "File".';
  return { node: undefined, lacks };
}

/** Whether variables are replaced in the script: only in SQL, unless the component turns this off. */
function replacesVariables(component: Component): boolean {
  const isOff = component.text('enableVariableResolution')?.trim().toLowerCase() === 'no';
  return component.type === 'sql-executor' && !isOff;
}

function hasSql(component: Component, parameter: string): boolean {
  return !hasNoSql(component.text(parameter) ?? '');
}

function hasText(component: Component, parameter: string): boolean {
  return (component.text(parameter) ?? '').trim() !== '';
}

/** The files of a project that components can name; paths are relative to the project. */
export interface ProjectFiles {
  /** The files that `files` in `millrace.yaml` selects: only these are published. */
  readonly published: ReadonlySet<string>;
  /** For the read files that are not text: the reason why they cannot be read. */
  readonly faults: ReadonlyMap<string, string>;
  /** The read files that have nothing but blanks and comments of SQL. */
  readonly empty: ReadonlySet<string>;
  /** Symbolic links: publishing refuses them. */
  readonly links: ReadonlySet<string>;
  /** The file that a name which does not exist probably means. */
  readonly nearest: (written: string) => string | undefined;
  has(path: string): boolean;
}

/**
 * Finds components that lack a script file, and script files that do not exist, are not text, or cannot be
 * published.
 */
export function missingFiles(
  file: string,
  scripts: readonly ScriptFact[],
  files: ProjectFiles,
): readonly CheckBreach[] {
  return scripts.flatMap(({ component, written, path, range, lacks, isSql }) => {
    const common = { check: 'missing-file', file, component, subject: written, range } as const;
    if (lacks !== undefined) return { ...common, message: `The component "${component}" has ${lacks}` };
    const isEmptySql = isSql === true && path !== undefined && files.empty.has(path);
    const fileReason = missingReason(path, files);
    const reason =
      fileReason === '' && isEmptySql
        ? 'which has no SQL to run.'
        : (fileReason ??
          `which the project does not have.${hintAt(written.trim(), files.nearest(written.trim()))}`);
    if (reason === '') return [];
    const message = `The component "${component}" reads its script from "${written}", ${reason}`;
    return { ...common, message };
  });
}

/** Why an existing file cannot be the script, as the end of a sentence; empty if it can, undefined if it does not exist. */
function missingReason(path: string | undefined, files: ProjectFiles): string | undefined {
  if (path === undefined || !files.has(path)) return undefined;
  if (!files.published.has(path))
    return 'which is not published: files.include and files.exclude in millrace.yaml leave it out.';
  if (files.links.has(path))
    return 'which is a symbolic link: publishing refuses it. Replace it by a plain file.';
  const fault = files.faults.get(path);
  return fault === undefined ? '' : `which cannot be read: ${fault}.`;
}

/** Finds, for names of files that do not exist, the published file that was probably meant. */
export function nearestFiles(published: Iterable<string>): (written: string) => string | undefined {
  const budget = comparisonBudget();
  const files = Array.from(published);
  const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1);
  const endingOf = (path: string) => /\.\w+$/.exec(path)?.[0] ?? '';
  const byName = Map.groupBy(files, nameOf);
  const byEnding = Map.groupBy(files, endingOf);
  const indexes = new Map<string, WordIndex>();
  return (written) => {
    const [sameName, ...others] = byName.get(nameOf(written)) ?? [];
    if (sameName !== undefined && others.length === 0) return sameName;
    const ending = endingOf(written);
    const index =
      indexes.get(ending) ?? wordIndex(ending === '' ? files : (byEnding.get(ending) ?? []), budget);
    indexes.set(ending, index);
    return index.closest(written)[0];
  };
}

/** Whether a text has nothing but blanks, comments and semicolons, so that it has no SQL to run. */
export function hasNoSql(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    if (text.startsWith('--', at) || text.startsWith('/*', at)) {
      const end = text[at] === '-' ? text.indexOf('\n', at) : text.indexOf('*/', at + 2) + 1;
      if (end <= 0) return text[at] === '-';
      at = end;
    } else if (!/[\s;\uFEFF]/.test(text[at] ?? '')) return false;
  }
  return true;
}
