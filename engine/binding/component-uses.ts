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
  /** Why it may use others too. */
  readonly unknown?: string | undefined;
}

/** A part of a component that names tables. */
export interface NamingPart {
  /** Where the component or the statement is. */
  readonly place: Place;
  /** The names are patterns of LIKE. */
  readonly isPattern?: boolean;
  /** Throws Refusal, SqlError and ParameterError for what cannot be read. */
  read(): NamedEffects;
}

/** What is needed to read components. */
export interface NamingSource {
  readonly reader: ParameterReader;
  readonly dialect: DialectContext;
  readonly files: (path: string) => string | undefined;
}

/** The parameters that name a table that components of transformations read. */
const inputs: ReadonlyMap<string, TableKey> = new Map([
  ['table-input', 'targetTable'],
  ['table-input-1', 'targetTable'],
  ['table-input-2', 'targetTable'],
  ['stream-input-sf', 'targetStream'],
  ['multi-table-input', 'pattern'],
]);
/** Components of transformations with SQL that may have a query. */
const sqlTypes: ReadonlySet<string> = new Set(['sql', 'calculator', 'join']);
const keysOfReaders = ['targetTable', 'table', 'tableName'] as const;
/** Places outside of the warehouse, such as `@stage/path`, and positions in their files: the engine refuses them, and they name no table. */
const stage = /@[\p{L}\p{N}_.$/~%-]*|\$\d+/gu;
/** A letter in place of each of their characters. */
const stageSign = '\u00aa';
/** What is not known about a statement whose words do not tell all that it writes. */
const unknownWrites: Readonly<Record<StatementUses['others'], string | undefined>> = {
  none: undefined,
  named: 'the statement may write tables that it does not name',
  any: 'the statement runs code that may use any table',
};

/**
 * The parts of a component that name tables. Throws if the component as a whole cannot be read, as `read` of a part
 * does.
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

/** One part for each statement. USE is valid for the rest of the script. */
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

/** A component that reads one table, or runs a query. */
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
