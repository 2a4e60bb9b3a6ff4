import { calledPath, callOf } from '../../../../lib/pipelines/model/calls.ts';
import type { Component } from '../../../../lib/pipelines/model/component.ts';
import { gridOf } from '../../../../lib/pipelines/model/grid.ts';
import type { PipelineDocument } from '../../../../lib/pipelines/model/read-pipeline.ts';
import { textOf, type YamlNode } from '../../../../lib/yaml/yaml-node.ts';
import { variableName } from '../../../../lib/pipelines/model/variable-name.ts';
import type { TestProject } from '../../files/test-project.ts';

/** How a pipeline interprets the text of a variable. */
export type VariableForm =
  /** The whole statement, with the columns that are read from it and the variables that they fill. */
  | { readonly kind: 'query'; readonly columns: readonly QueryColumn[] }
  /** What follows SELECT; `owners` are the variables of the pipelines that have such statements. */
  | { readonly kind: 'select-list'; readonly owners: readonly string[] }
  /** True or false, such as what follows WHERE; between two inputs if it has their aliases. */
  | { readonly kind: 'condition'; readonly aliases: readonly [string, string] | undefined }
  /** Columns of the input, with commas. */
  | { readonly kind: 'input-columns'; readonly pipeline: string; readonly component: string }
  /** The name of a column in a statement, in quotes. */
  | { readonly kind: 'column' }
  /** A name in a statement without quotes: of a table, a schema or a database. */
  | { readonly kind: 'name'; readonly name: string }
  /** The content of a text in SQL that is parsed. */
  | { readonly kind: 'document'; readonly text: string }
  /** Texts that become columns. */
  | { readonly kind: 'pivot-values' }
  /** Columns of a new table, with types; `end` is what must follow. */
  | { readonly kind: 'definitions'; readonly end: string };

interface QueryColumn {
  readonly name: string;
  /** The variable that the column fills, as a key; undefined for a grid. */
  readonly owner: string | undefined;
}

/** How a pipeline, or one that it calls, interprets a variable; undefined if any value may fit. */
export function formOf(
  name: string,
  document: PipelineDocument,
  project: TestProject,
): VariableForm | undefined {
  const [first, ...more] = formsOf(name, document, project, new Set());
  if (first?.kind !== 'select-list') return first;
  const lists = [first, ...more].flatMap((form) => (form.kind === 'select-list' ? form.owners : []));
  return { kind: 'select-list', owners: [...new Set(lists)] };
}

function* formsOf(
  name: string,
  document: PipelineDocument,
  project: TestProject,
  seen: ReadonlySet<string>,
): Generator<VariableForm> {
  const owner = ownerOf(document.path, name);
  if (seen.has(owner)) return;
  const reference = `\${${name}}`;
  for (const component of document.components.values()) {
    for (const [key, text] of texts(component)) {
      const form = text.includes(reference)
        ? formInText({ component, key, text, reference, owner, pipeline: document.path })
        : undefined;
      if (form !== undefined) yield form;
    }
    const next = new Set([...seen, owner]);
    for (const [inner, called] of passedOn(component, reference, project))
      yield* formsOf(inner, called, project, next);
  }
}

/** A key for a variable of a pipeline. */
export function ownerOf(pipeline: string, variable: string): string {
  return `${pipeline}#${variable}`;
}

/** The variable in a component's statement that contains the list of columns, if there is one. */
export function selectListOf(component: Component, pipeline: string): string | undefined {
  for (const [key, text] of texts(component)) {
    for (const [reference, name = ''] of text.matchAll(
      new RegExp(String.raw`\$\{(${variableName})\}`, 'gu'),
    )) {
      const owner = ownerOf(pipeline, name);
      if (formInText({ component, key, text, reference, owner, pipeline })?.kind === 'select-list')
        return owner;
    }
  }
  return undefined;
}

/** The variables of called pipelines that get the value of a variable unchanged. */
export function passedOn(
  component: Component,
  reference: string,
  project: TestProject,
): readonly (readonly [name: string, called: PipelineDocument])[] {
  const called = calledBy(component, project);
  if (called === undefined) return [];
  return (callOf(component)?.scalarVariables ?? []).flatMap(([inner, value]) =>
    value.trim() === reference ? [[inner, called] as const] : [],
  );
}

/** The pipeline that a component calls, if the name does not contain a variable. */
export function calledBy(component: Component, project: TestProject): PipelineDocument | undefined {
  const call = callOf(component);
  const path = call === undefined ? undefined : calledPath(call, project);
  return path === undefined ? undefined : project.pipeline(path);
}

/** The texts of a component's parameters, each with the name of its parameter. */
function texts(component: Component): readonly (readonly [key: string, text: string])[] {
  const node = component.node('parameters');
  return node?.kind === 'map'
    ? [...node.entries].flatMap(([key, { value }]) => leaves(value).map((text) => [key, text] as const))
    : [];
}

function leaves(node: YamlNode): readonly string[] {
  if (node.kind === 'list') return node.items.flatMap(leaves);
  if (node.kind === 'map') return [...node.entries.values()].flatMap(({ value }) => leaves(value));
  return [textOf(node) ?? ''];
}

interface Use {
  readonly component: Component;
  readonly pipeline: string;
  readonly key: string;
  readonly text: string;
  readonly reference: string;
  readonly owner: string;
}

const statements = new Set(['query', 'sqlScript', 'sqlQuery']);
const conditions = new Set(['joinExpression', 'joinExpressions', 'whenMatched']);

function formInText({ component, pipeline, key, text, reference, owner }: Use): VariableForm | undefined {
  const at = text.indexOf(reference);
  const [before, after] = [text.slice(0, at), text.slice(at + reference.length)];
  const [, language] = /\bPARSE_(XML|JSON)\s*\(\s*'$/i.exec(before) ?? [];
  if (language !== undefined) return { kind: 'document', text: /xml/i.test(language) ? '<a>1</a>' : '{}' };
  if (isQuoted(before)) return undefined;
  if (statements.has(key) && isName(before, after)) return { kind: 'name', name: nameLike(reference) };
  if (conditions.has(key)) {
    return /^\s*$/.test(before) ? { kind: 'condition', aliases: aliasesOf(component) } : undefined;
  }
  if (!statements.has(key)) return undefined;
  if (text.trim() === reference) return { kind: 'query', columns: readColumns(component, pipeline) };
  if (/\bUNPIVOT\b[^]*\bIN\s*\(\s*$/i.test(before))
    return { kind: 'input-columns', pipeline, component: component.name };
  if (/\bPIVOT\b[^]*\bIN\s*\(\s*$/i.test(before)) return { kind: 'pivot-values' };
  if (/\bAS\s+\w+\s*\((?:[^()]*,)?\s*$/i.test(before)) return { kind: 'column' };
  if (/\bSELECT\s+(?:DISTINCT\s+)?$/i.test(before) && /^\s*(?:,|FROM\b|$)/i.test(after))
    return { kind: 'select-list', owners: [owner] };
  if (/\b(?:WHERE|ON|AND|OR|HAVING|WHEN|QUALIFY)\s+\(*\s*$/i.test(before) && isWhole(after))
    return { kind: 'condition', aliases: undefined };
  if (/\b(?:UNIQUE|KEY|INTO\s+[^\s(]+)\s*\(\s*$/i.test(before)) return { kind: 'column' };
  if (/\bCREATE\b[^]*\bTABLE\b[^]*[(,]\s*$/i.test(before) && !/\bSELECT\b/i.test(before))
    return { kind: 'definitions', end: /^\s*[,)]/.test(after) ? '' : ',' };
  return undefined;
}

const namePart = String.raw`(?:[A-Za-z_][\w$]*|"[^"]*"|\$\{\w+\})`;
const beforeName = new RegExp(
  String.raw`\b(?:FROM|JOIN|INTO|UPDATE|TABLE|VIEW|SCHEMA|DATABASE|EXISTS|USE)\s+(?:${namePart}\.)*$`,
  'i',
);

/** Whether what is between two texts is a name, or a part of one with points. */
function isName(before: string, after: string): boolean {
  return beforeName.test(before) || /^\.[A-Za-z_"$]/.test(after);
}

/** A name as the value of a variable: the name of the variable, so that two variables have different values. */
function nameLike(reference: string): string {
  return reference.replaceAll(/\W/g, '').toUpperCase();
}

/** Whether a text ends inside quotation marks. */
function isQuoted(text: string): boolean {
  const open = /^(?:[^'"]|'(?:[^']|'')*'|"(?:[^"]|"")*")*/.exec(text)?.[0] ?? '';
  return open.length < text.length;
}

/** Whether a condition ends here, so that no operator follows. */
function isWhole(after: string): boolean {
  return /^\s*(?:$|\)|;|AND\b|OR\b|GROUP\b|ORDER\b|LIMIT\b|HAVING\b|QUALIFY\b|THEN\b|UNION\b)/i.test(after);
}

/** The columns that a component takes from the result of its query. */
function readColumns(component: Component, pipeline: string): readonly QueryColumn[] {
  const pairs = (key: string, column: number, variable: number | undefined) =>
    gridOf(component.parameter(key)).flatMap((row): QueryColumn[] => {
      const name = row[column] ?? '';
      const target = variable === undefined ? '' : (row[variable] ?? '');
      return name === '' ? [] : [{ name, owner: target === '' ? undefined : ownerOf(pipeline, target) }];
    });
  const all = [
    ...pairs('scalarVariableMapping', 1, 0),
    ...pairs('gridVariableMapping', 0, undefined),
    ...pairs('columnMapping', 0, 1),
    ...pairs('columnMapping1', 0, 1),
  ];
  return [...new Map(all.map((column) => [column.name, column])).values()];
}

/** The aliases of the two inputs that a component compares. */
function aliasesOf(component: Component): readonly [string, string] | undefined {
  const [[, joined = ''] = []] = gridOf(component.parameter('joins'));
  const first = component.text('mainTableAlias') ?? component.text('sourceAlias') ?? '';
  const second = joined === '' ? (component.text('targetAlias') ?? '') : joined;
  return first === '' || second === '' ? undefined : [first, second];
}
