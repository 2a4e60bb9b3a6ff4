import { storedName } from '../components/find-column.ts';
import { namedTable } from '../components/find-table.ts';
import type { DialectContext } from '../core/dialect.ts';
import type { Place } from '../core/refusal.ts';
import type { TableName } from '../core/relation.ts';
import type { SourceText } from '../core/source-text.ts';
import type { StatementUses } from '../dialect/statement/statement-uses.ts';
import { splitScript } from '../dialect/translate.ts';
import { parametersOf } from '../orchestration/components/task-types.ts';
import { type ParameterReader, readText } from '../parameters/parameter-reader.ts';
import { readNames } from '../parameters/read-rows.ts';
import { readSchema, type TableKey } from '../parameters/read-table.ts';
import type { Component } from '../../lib/pipelines/model/component.ts';
import type { PipelineKind } from '../../lib/pipelines/model/pipeline-kind.ts';
import { childOf, scalarsOf, textOf, type YamlNode } from '../../lib/yaml/yaml-node.ts';
import type { WriteMode } from './bound-pipeline.ts';
import { plain } from './part-tables.ts';
import { defaultsAfterUse, statementsOf } from './script-statements.ts';
import { controlTypes, readerTypes, scriptTypes, usesOfComponent, usesOfTask } from './table-roles.ts';

export interface TableEffect {
  readonly table: TableName;
  readonly effect: 'read' | WriteMode;
}

/** What a part of a component does with the tables that it names. */
export interface NamedEffects {
  readonly effects: readonly TableEffect[];
  /** The reason why the part may use other tables too. Undefined if it cannot. */
  readonly unknown?: string | undefined;
}

/** A part of a component that names tables. */
export interface NamingPart {
  /** The position of the component or of the statement. */
  readonly place: Place;
  /** Whether the names are patterns as in LIKE. */
  readonly isPattern?: boolean;
  /**
   * Returns what the part does with the tables. Throws Refusal, SqlError and ParameterError if the part cannot be
   * read.
   */
  read(): NamedEffects;
}

/** What is needed to find out which tables a component names. */
export interface NamingSource {
  readonly reader: ParameterReader;
  readonly dialect: DialectContext;
  readonly files: (path: string) => string | undefined;
}

/** The parameters that name a table to read, for each component type of transformations that has one. */
const inputs: ReadonlyMap<string, TableKey> = new Map([
  ['table-input', 'targetTable'],
  ['table-input-1', 'targetTable'],
  ['table-input-2', 'targetTable'],
  ['stream-input-sf', 'targetStream'],
  ['multi-table-input', 'pattern'],
]);
/** The component types of transformations whose SQL may contain a query. */
const sqlTypes: ReadonlySet<string> = new Set(['sql', 'calculator', 'join']);
const keysOfReaders = ['targetTable', 'table', 'tableName'] as const;
/**
 * Matches places outside the warehouse, such as `@stage/path`, and positions in files there, such as `$1`. The engine
 * refuses them, and they are not names of tables.
 */
const stage = /@[\p{L}\p{N}_.$/~%-]*|\$\d+/gu;
/** The letter that replaces each character of such a place. */
const stageSign = '\u00aa';
/** Says what is unknown about a statement whose text does not name all tables that it writes. */
const unknownWrites: Readonly<Record<StatementUses['others'], string | undefined>> = {
  none: undefined,
  named: 'the statement may write tables that it does not name',
  any: 'the statement runs code that may use any table',
};

/**
 * The parts of a component that name tables. Throws the same errors as `read` of a part if the component as a whole
 * cannot be read.
 */
export function namingParts(
  component: Component,
  kind: PipelineKind,
  source: NamingSource,
): readonly NamingPart[] {
  const { line, column } = component.range;
  const place = { file: source.reader.source.file, line, column };
  if (kind === 'transformation') return partsOfTransformation(component, place, source);
  if (scriptTypes.has(component.type)) return statementParts(component, source);
  const parameters = parametersOf(component);
  if (component.type === 'delete-tables')
    return [{ place, read: () => ({ effects: dropped(parameters, source) }) }];
  if (readerTypes.has(component.type))
    return [{ place, read: () => ({ effects: readBy(parameters, source) }) }];
  if (controlTypes.has(component.type)) return [];
  return [{ place, read: () => written(usesOfTask({ component, parameters, ...source })) }];
}

function written({
  writes,
}: {
  readonly writes: readonly { readonly table: TableName; readonly mode: WriteMode }[];
}): NamedEffects {
  return { effects: writes.map(({ table, mode }) => ({ table, effect: mode })) };
}

function partsOfTransformation(
  component: Component,
  place: Place,
  source: NamingSource,
): readonly NamingPart[] {
  const parameters = parametersOf(component);
  const key = inputs.get(component.type);
  if (key !== undefined) {
    const read = () => ({
      effects: [{ table: plain(namedTable({ parameters, ...source }, key)), effect: 'read' as const }],
    });
    return [{ place, isPattern: key === 'pattern', read }];
  }
  if (!sqlTypes.has(component.type))
    return [{ place, read: () => written(usesOfComponent(component, source)) }];
  const queries = [...scalarsOf(parameters)].filter((node) => /\bfrom\b/i.test(textOf(node) ?? ''));
  return queries.map((node) => ({
    place,
    read: () => ({ effects: usesOfSql(readText(node, source.reader), source) }),
  }));
}

function usesOfSql(sql: SourceText | undefined, { dialect }: NamingSource): readonly TableEffect[] {
  if (sql === undefined) return [];
  return splitScript(sql, dialect).flatMap((statement) => effectsOf(statement.uses(dialect.defaults)));
}

function effectsOf({ targets, reads }: StatementUses): readonly TableEffect[] {
  return [...targets, ...reads.map((table) => ({ table, effect: 'read' as const }))];
}

/** One part for each statement. A USE applies to the rest of the script. */
function statementParts(
  component: Component,
  { reader, dialect, files }: NamingSource,
): readonly NamingPart[] {
  let { defaults } = dialect;
  const task = { component, parameters: parametersOf(component), reader, dialect, files };
  return statementsOf(task, withoutStages).map((statement) => ({
    place: statement.place,
    read() {
      const script = statement.read();
      if (script === undefined) return { effects: [] };
      const before = defaults;
      defaults = defaultsAfterUse(script, before);
      const uses = script.uses(before);
      const effects = effectsOf(uses).filter(({ table }) => !table.table.startsWith(stageSign));
      return { effects, unknown: unknownWrites[uses.others] };
    },
  }));
}

function withoutStages(text: string): string {
  return text.replace(stage, (place) => stageSign.repeat(place.length));
}

/** The uses of a component that reads one table, or runs a query. */
function readBy(parameters: YamlNode, source: NamingSource): readonly TableEffect[] {
  const mode = readText(childOf(parameters, 'mode'), source.reader)?.text.trim().toLowerCase();
  const query = mode === 'basic' ? undefined : readText(childOf(parameters, 'query'), source.reader);
  if (query !== undefined) return usesOfSql(query, source);
  const key = keysOfReaders.find((name) => (textOf(childOf(parameters, name)) ?? '') !== '');
  return key === undefined
    ? []
    : [{ table: plain(namedTable({ parameters, ...source }, key)), effect: 'read' }];
}

function dropped(parameters: YamlNode, { reader, dialect }: NamingSource): readonly TableEffect[] {
  const { database, schema } = readSchema(parameters, reader, dialect.defaults);
  const stored = (name: string) => storedName(name, dialect.warehouse);
  return readNames(childOf(parameters, 'targetTable'), reader).map(({ text }) => ({
    table: { database: stored(database), schema: stored(schema), table: stored(text) },
    effect: 'drop',
  }));
}
