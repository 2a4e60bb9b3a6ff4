import type { Component } from '../../../../lib/pipelines/model/component.ts';
import { type Grid, namesIn } from '../../../../lib/pipelines/model/grid.ts';
import type { PipelineDocument } from '../../../../lib/pipelines/model/read-pipeline.ts';
import { exampleOfType, valueFault } from '../../../../lib/pipelines/model/variable-value.ts';
import type { Variable } from '../../../../lib/pipelines/model/variable.ts';
import { exampleValue } from './example-columns.ts';
import { guessType, wholeType } from './guess-type.ts';
import { roleOf, usesOfGrid } from './grid-rows.ts';
import type { TestProject } from '../../files/test-project.ts';
import { formOf, ownerOf, passedOn, type VariableForm } from './variable-forms.ts';
import { yamlQuoted } from '../../files/yaml-text.ts';

/** Facts about variables that earlier runs have shown, by key. */
export interface KnownVariables {
  /** Columns that a variable must list, as its pipeline reads them. */
  readonly listed: ReadonlyMap<string, ReadonlySet<string>>;
  /** Values with which a condition decides as it should. */
  readonly wanted: ReadonlyMap<string, string>;
}

/**
 * An example value of a variable, in YAML, in the form that its pipeline needs; undefined for a grid whose use is
 * unknown.
 */
export function exampleVariable(
  variable: Pick<Variable, 'name' | 'type' | 'columns'> & Partial<Pick<Variable, 'columnTypes'>>,
  document: PipelineDocument,
  knownVariables: KnownVariables,
  project: TestProject,
): string | undefined {
  const { name, type, columns } = variable;
  if (type === 'GRID') {
    const { columnTypes = [] } = variable;
    const rows = gridRows({ name, columns }, document, knownVariables, project).map((row) =>
      row.map((cell, column) => ofType(cell, columnTypes[column] ?? 'TEXT')),
    );
    return rows.length === 0 ? undefined : `[${rows.map(rowText).join(', ')}]`;
  }
  const required = wantedValue(name, document, knownVariables, project);
  if (required !== undefined) return type === 'NUMBER' && required !== '' ? required : yamlQuoted(required);
  if (type === 'NUMBER') return exampleValue({ name, type: wholeType(project) }, 0, project);
  const typed = exampleOfType(type);
  if (typed !== undefined) return yamlQuoted(typed);
  const form = formOf(name, document, project);
  if (form !== undefined) return yamlQuoted(textOfForm(form, knownVariables, project));
  const example = exampleValue({ name, type: guessType(name, project) }, 0, project);
  return /^['"]/.test(example) ? example : `'${example}'`;
}

/** The value that a variable must have, in its pipeline or in a pipeline that gets it unchanged. */
export function wantedValue(
  name: string,
  document: PipelineDocument,
  knownVariables: Pick<KnownVariables, 'wanted'>,
  project: TestProject,
  seen: ReadonlySet<string> = new Set(),
): string | undefined {
  const owner = ownerOf(document.path, name);
  if (seen.has(owner)) return undefined;
  const required = knownVariables.wanted.get(owner);
  if (required !== undefined) return required;
  for (const component of document.components.values()) {
    for (const [inner, called] of passedOn(component, `\${${name}}`, project)) {
      const value = wantedValue(inner, called, knownVariables, project, new Set([...seen, owner]));
      if (value !== undefined) return value;
    }
  }
  return undefined;
}

/** A cell as it is, or an example if its column has another type. */
function ofType(cell: string, type: string): string {
  return valueFault(type, cell) === undefined ? cell : (exampleOfType(type) ?? cell);
}

function rowText(row: readonly string[]): string {
  return `[${row.map(yamlQuoted).join(', ')}]`;
}

/** The column that examples have if the pipeline leaves it open. */
function keyName({ kind }: TestProject): string {
  return kind === 'WAREHOUSE_TWO' ? 'id' : 'ID';
}

function textOfForm(form: VariableForm, knownVariables: KnownVariables, project: TestProject): string {
  const key = quoted(keyName(project));
  switch (form.kind) {
    case 'query': {
      const columns = form.columns.map(({ name, owner = '' }) =>
        selected(name, project, knownVariables.wanted.get(owner)),
      );
      return `SELECT ${columns.length === 0 ? selected(keyName(project), project) : columns.join(', ')}`;
    }
    case 'select-list': {
      const more = new Set(form.owners.flatMap((owner) => [...(knownVariables.listed.get(owner) ?? [])]));
      return ['*', ...[...more].map((column) => selected(column, project))].join(', ');
    }
    case 'condition':
      return form.aliases === undefined
        ? '1 = 1'
        : form.aliases.map((alias) => `${quoted(alias)}.${key}`).join(' = ');
    case 'input-columns':
      return openColumns(form, project).map(quoted).join(', ');
    case 'column':
      return key;
    case 'name':
      return form.name;
    case 'document':
      return form.text;
    case 'pivot-values':
      return "'1'";
    case 'definitions':
      return `${key} VARCHAR(128)${form.end}`;
  }
}

function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}

/** A value of the type that a column's name suggests, as a column of a query. */
function selected(column: string, project: TestProject, required?: string): string {
  if (required !== undefined) return `'${required.replaceAll("'", "''")}' AS ${quoted(column)}`;
  const example = exampleValue({ name: column, type: guessType(column, project) }, 0, project);
  const value = /^[-\d.'"]/.test(example) ? example.replace(/^"(.*)"$/, "'$1'") : `'${example}'`;
  return `${value} AS ${quoted(column)}`;
}

/** Two columns of the table that a statement reads, if possible such that the pipeline names nowhere else. */
function openColumns(
  { pipeline, component }: { readonly pipeline: string; readonly component: string },
  project: TestProject,
): readonly string[] {
  const document = project.pipeline(pipeline);
  const text = project.text(pipeline) ?? '';
  const names = inputColumns(document?.components.get(component), document, new Set());
  const open = names.filter((name) => text.split(name).length === 2);
  return (open.length === 0 ? names : open).slice(0, 2);
}

/** The columns of the nearest table that lists them. */
function inputColumns(
  component: Component | undefined,
  document: PipelineDocument | undefined,
  seen: ReadonlySet<string>,
): readonly string[] {
  for (const source of component?.sources ?? []) {
    const read = document?.components.get(source);
    if (read === undefined || seen.has(source)) continue;
    const listed = namesIn(read.parameter('columnNames'));
    const columns = listed.length > 0 ? listed : inputColumns(read, document, new Set([...seen, source]));
    if (columns.length > 0) return columns;
  }
  return [];
}

/** One row of a grid, and one for each column that it must list; empty if nothing says what the grid is for. */
function gridRows(
  { name, columns }: Pick<Variable, 'name' | 'columns'>,
  document: PipelineDocument,
  knownVariables: KnownVariables,
  project: TestProject,
): Grid {
  const uses = usesOfGrid(name, document, project);
  const names = columns.length > 0 ? columns : (uses[0]?.columns ?? []);
  if (uses.length === 0 || names.length === 0) return [];
  const rowFor = (column: string): readonly string[] =>
    names.map((gridColumn) =>
      cellText(gridColumn, column, { uses, document, known: knownVariables, project }),
    );
  const more = uses.flatMap(({ owner }) => [...(knownVariables.listed.get(owner) ?? [])]);
  return [keyName(project), ...new Set(more)].map(rowFor);
}

function cellText(
  name: string,
  column: string,
  {
    uses,
    document,
    known: knownVariables,
    project,
  }: {
    readonly uses: ReturnType<typeof usesOfGrid>;
    readonly document: PipelineDocument;
    readonly known: KnownVariables;
    readonly project: TestProject;
  },
): string {
  const role = roleOf(name, uses);
  switch (role?.kind) {
    case 'column':
      return column;
    case 'input-column':
      return role.alias === '' ? column : `${role.alias}.${column}`;
    case 'type':
      return 'VARCHAR';
    case 'size':
      return '';
    case 'expression':
      return '1';
    case 'variable': {
      const variable = document.variables.get(role.name);
      const value =
        variable === undefined ? undefined : exampleVariable(variable, document, knownVariables, project);
      return value?.replace(/^(['"])(.*)\1$/, '$2') ?? '1';
    }
    case undefined:
      return exampleValue({ name, type: 'VARCHAR' }, 0, project).replace(/^(['"])(.*)\1$/, '$2');
  }
}
