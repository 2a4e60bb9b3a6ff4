import type { DialectContext } from '../core/dialect.ts';
import type { Place } from '../core/refusal.ts';
import type { Catalog } from '../core/relation.ts';
import type { WarehouseKind } from '../core/sql-type.ts';
import { pipelineVariables, projectCells, refusedDefault } from '../execution/run/pipeline-variables.ts';
import type { EnvironmentDefaults } from '../parameters/read-table.ts';
import { FileProblems } from '../tables/file-problem.ts';
import type { Component } from '../../lib/pipelines/model/component.ts';
import { codeTypes } from '../../lib/pipelines/model/component-types.ts';
import type { PipelineDocument } from '../../lib/pipelines/model/read-pipeline.ts';
import { isExpected, unplacedMessage } from './binding-error.ts';
import { namingParts, type NamingPart, type TableEffect } from './component-uses.ts';
import { reachableInOrder } from './reachable-components.ts';
import { standIns, type SymbolicVariables, symbolicVariables } from './symbolic-variables.ts';
import { variablesSetBy } from './variables-set-by.ts';

/** A table that a component names, and how the component uses it. */
export interface NamedTableUse extends TableEffect {
  readonly component: string;
  /** The position of the component or of the statement. */
  readonly place: Place;
  /** Whether the name is a pattern as in LIKE, and the component reads all tables of the schema whose names match. */
  readonly isPattern: boolean;
}

/** A component that may use tables that cannot be determined. */
export interface UnnamedUse {
  readonly component: string;
  readonly place: Place;
  /** The reason why the tables cannot be determined. */
  readonly reason: string;
}

/** The tables that a pipeline names, without the tables that the pipelines it calls name. */
export interface NamedTables {
  readonly uses: readonly NamedTableUse[];
  readonly unnamed: readonly UnnamedUse[];
}

export interface NamingContext {
  readonly kind: WarehouseKind;
  readonly defaults: EnvironmentDefaults;
  /** Returns the text of a file of the project. Throws FileProblems. */
  readonly files: (path: string) => string | undefined;
  /** The variables of the pipeline that a caller may set. */
  readonly setByCallers: ReadonlySet<string>;
}

/** Component types that run a program. Their parameters do not name the tables that the program uses. */
const programTypes: ReadonlySet<string> = new Set([...codeTypes, 'commands-for-dbt-core']);
const noCatalog: Catalog = {
  find: () => undefined,
  findIgnoringCase: () => undefined,
  all: () => [],
  list: () => [],
};

/**
 * Finds the tables that a pipeline names in its parameters and its SQL. Nothing runs, so no warehouse is needed.
 * Columns are not known, and neither is whether a table exists. For a file that cannot be read, the result is empty,
 * and `problems` of the document say why.
 */
export function namedTables(document: PipelineDocument, context: NamingContext): NamedTables {
  const variables = document.problems.length > 0 ? undefined : variablesOf(document, context);
  if (variables === undefined) return { uses: [], unnamed: [] };
  const reader = { source: document.source, variables, scope: variables.scope };
  const dialect: DialectContext = {
    warehouse: context.kind,
    catalog: noCatalog,
    defaults: context.defaults,
    now: 0,
    components: new Map(),
  };
  const all =
    document.kind === 'orchestration' ? reachableInOrder(document) : [...document.components.values()];
  const components = all.filter(({ skipped }) => !skipped);
  if (document.kind === 'orchestration')
    variables.forget(components.flatMap((component) => variablesSetBy(component, variables, context.files)));
  const [uses, unnamed]: [NamedTableUse[], UnnamedUse[]] = [[], []];
  for (const component of components) {
    const { line, column } = component.range;
    const whole = { file: document.source.file, line, column };
    const addUnnamed = (reason: string, place: Place = whole) => {
      const isNew = unnamed.every((each) => each.component !== component.name || each.reason !== reason);
      if (isNew) unnamed.push({ component: component.name, place, reason });
    };
    if (programTypes.has(component.type)) {
      addUnnamed('it runs a program, whose use of tables is not analysed');
      continue;
    }
    variables.begin(standIns[0]);
    const parts = attempt(() =>
      namingParts(component, document.kind, { reader, dialect, files: context.files }),
    );
    if ('error' in parts) addUnnamed(shown(parts.error, variables));
    else for (const part of parts.result) notePart(component, part, { variables, uses, addUnnamed });
  }
  return { uses, unnamed };
}

function notePart(
  component: Component,
  { place, isPattern = false, read }: NamingPart,
  {
    variables,
    uses,
    addUnnamed,
  }: {
    readonly variables: SymbolicVariables;
    readonly uses: NamedTableUse[];
    readonly addUnnamed: (reason: string, place: Place) => void;
  },
): void {
  const part = attempt(read);
  if ('error' in part) {
    addUnnamed(shown(part.error, variables), place);
    return;
  }
  const { effects, unknown } = part.result;
  if (unknown !== undefined) addUnnamed(unknown, place);
  for (const { table, effect } of effects) {
    const name = `${table.database}.${table.schema}.${table.table}`;
    const variable = variables.openName(table) && variables.unknownIn(name);
    if (variable === undefined) uses.push({ table, effect, component: component.name, place, isPattern });
    else
      addUnnamed(
        `the name of a table depends on the variable "${variable}", whose value is only known when the pipeline runs`,
        place,
      );
  }
}

/** The variables of the pipeline. Undefined if the pipeline cannot start. */
function variablesOf(document: PipelineDocument, context: NamingContext): SymbolicVariables | undefined {
  const known = [...document.variables].filter(([, variable]) => refusedDefault(variable) === undefined);
  const declared = pipelineVariables({ ...document, variables: new Map(known) }, projectCells(new Map()), {
    scalars: [],
    grids: [],
  });
  if ('refusal' in declared) return undefined;
  return symbolicVariables(declared.variables.all(), context.setByCallers, 0);
}

function attempt<Result>(read: () => Result): { readonly result: Result } | { readonly error: unknown } {
  try {
    return { result: read() };
  } catch (error) {
    if (isExpected(error) || error instanceof FileProblems) return { error };
    throw error;
  }
}

function shown(error: unknown, variables: SymbolicVariables): string {
  const message = unplacedMessage(error);
  return variables.shownText(message) ?? message;
}
