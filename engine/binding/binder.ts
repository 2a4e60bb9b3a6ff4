import type { Component } from '../../lib/pipelines/model/component.ts';
import { ALL_COLUMNS } from '../core/dialect.ts';
import { type Place, SqlError } from '../core/refusal.ts';
import type { TableName } from '../core/relation.ts';
import type { WarehouseKind } from '../core/sql-type.ts';
import { physicalTable } from '../duckdb/catalog/physical-name.ts';
import type { Warehouse } from '../duckdb/connection/warehouse.ts';
import { ParameterError } from '../parameters/parameter-error.ts';
import type { ParameterReader } from '../parameters/parameter-reader.ts';
import type { EnvironmentDefaults } from '../parameters/read-table.ts';
import {
  type BoundPipeline,
  type BindingProblem,
  certain,
  type Certainty,
  type KnownTable,
  type TableRead,
  type TableWrite,
  type UnknownComponent,
  type WriteMode,
} from './bound-pipeline.ts';
import { isExpected, messageOf, placeOf } from './binding-error.ts';
import { newRecording, type Recording, type RecordingWarehouse } from './recording-warehouse.ts';
import { standInCount, type SymbolicVariables } from './symbolic-variables.ts';

/** What is known outside of a pipeline while it is bound. */
export interface BindingContext {
  /** In memory, and used for nothing else: everything in it is dropped. */
  readonly warehouse: Warehouse;
  readonly kind: WarehouseKind;
  readonly defaults: EnvironmentDefaults;
  /** The text of a file of the project. */
  readonly files: (path: string) => string | undefined;
  /** A table that something outside of the pipeline defines; undefined if its columns are not known. */
  readonly tableOf: (table: TableName) => KnownTable | undefined;
  /** Variables of the pipeline that a caller may set. */
  readonly setByCallers: ReadonlySet<string>;
}

/** The part of a pipeline that is bound as one: a component, or one statement of its script. */
export interface Part {
  readonly component: Component;
  readonly place: Place;
  /** Components of the same pipeline whose rows it reads. */
  readonly sources?: readonly string[];
  /** Tables that it writes although it cannot be bound. */
  readonly fallback: () => readonly { readonly table: TableName; readonly mode: WriteMode }[];
}

/** Binds the parts of one pipeline, one after the other, and collects what they do. */
export interface Binder extends BoundPipeline {
  readonly warehouse: RecordingWarehouse;
  readonly variables: SymbolicVariables;
  readonly reader: ParameterReader;
  /** For `DialectContext.noteColumn`. */
  noteColumn(table: string, column: string): void;
  /**
   * Runs `work`, again as often as tables that it lacks can be created, and notes what it did. Returns whether it could be
   * bound. A transaction around each attempt undoes a failed one.
   */
  bind(part: Part, work: () => Promise<unknown>): Promise<boolean>;
  /** Notes a part that cannot be bound. */
  skip(part: Part, reason: string): void;
}

/** A failure with the component at fault, which may be an earlier one. */
interface Blamed {
  readonly error: unknown;
  readonly component: string;
}

export function createBinder(
  { tableOf }: BindingContext,
  parts: Pick<Binder, 'warehouse' | 'variables' | 'reader'> & {
    readonly blame: (error: unknown, part: Part) => Blamed;
  },
): Binder {
  const { warehouse, variables, reader, blame } = parts;
  const reads: TableRead[] = [];
  const writes: TableWrite[] = [];
  const problems: BindingProblem[] = [];
  const unknown: UnknownComponent[] = [];
  const tables = new Map<string, Certainty>();
  const components = new Map<string, Certainty>();
  let recording = newRecording();

  function begin(standIn: number): void {
    recording = newRecording();
    warehouse.record(recording);
    variables.begin(standIn);
  }

  /** Creates what was looked up in vain: schemas, and tables that are known. False if there is nothing to create. */
  async function createMissed({ missed }: Recording): Promise<boolean> {
    const { catalog } = warehouse;
    let isCreated = false;
    for (const name of missed.values()) {
      if (catalog.schemaNames?.(name.database).includes(name.schema) !== true) {
        await warehouse.createSchema(name.database, name.schema);
        isCreated = true;
      }
      const known = tableOf(name);
      if (known === undefined || known.columns.length === 0) continue;
      if (catalog.findIgnoringCase(name) !== undefined) continue;
      const { sql } = await warehouse.createTable(name, known.columns, []);
      tables.set(sql, known);
      isCreated = true;
    }
    return isCreated;
  }

  async function attempt(work: () => Promise<unknown>): Promise<{ readonly error: unknown } | undefined> {
    for (let standIn = 0; ;) {
      begin(standIn);
      try {
        await warehouse.transaction(work);
        return undefined;
      } catch (error) {
        if (!isExpected(error)) throw error;
        if (await createMissed(recording)) continue;
        if (!variables.usedStandIn() || standIn >= standInCount - 1) return { error };
        standIn += 1;
      }
    }
  }

  function inputs({ sources = [] }: Part): readonly Certainty[] {
    return [
      ...[...recording.found.keys()].map((sql) => tables.get(sql) ?? certain),
      ...sources.map((name) => components.get(name) ?? certain),
    ];
  }

  /** What is certain about the columns that a part makes. Names are, of columns that it lists. */
  function certaintyOf(part: Part): Certainty {
    const areListed = [...recording.found.keys()].every(
      (sql) => (tables.get(sql) ?? certain).areNamesComplete || !readsAll(sql),
    );
    const areComplete = (part.sources ?? []).every(
      (name) => (components.get(name) ?? certain).areNamesComplete,
    );
    return {
      areNamesComplete: areListed && areComplete,
      areTypesKnown: inputs(part).every(({ areTypesKnown }) => areTypesKnown),
    };
  }

  function readsAll(sql: string): boolean {
    return recording.columns.get(sql)?.has(ALL_COLUMNS) === true;
  }

  function columnsRead(sql: string): Pick<TableRead, 'columns' | 'readsAll'> {
    const columns = [...(recording.columns.get(sql) ?? [])].filter((column) => column !== ALL_COLUMNS);
    return { columns, readsAll: readsAll(sql) };
  }

  function note(part: Part): void {
    const { found, changed } = recording;
    const { place } = part;
    const component = part.component.name;
    const certainty = certaintyOf(part);
    components.set(component, certainty);
    const targets = new Set(changed.map(({ sql }) => sql));
    for (const [sql, table] of found) {
      if (targets.has(sql) || hasUnknownName(table, part)) continue;
      reads.push({ table: plain(table), component, place, ...columnsRead(sql), isBound: true });
    }
    const seen = new Set<string>();
    for (const { table, sql, mode, written } of changed) {
      const key = `${mode} ${sql}`;
      if (seen.has(key)) continue;
      seen.add(key);
      if (hasUnknownName(table, part)) continue;
      const isDefined = mode === 'define' || mode === 'alter';
      if (mode === 'define') tables.set(sql, certainty);
      const stored = isDefined ? warehouse.catalog.find(table)?.columns : undefined;
      const columns = stored && { columns: stored, ...certainty };
      writes.push({ table: plain(table), component, place, mode, columns, written });
    }
  }

  /** Notes a table whose name has the value of a variable that is not known. */
  function hasUnknownName(table: TableName, part: Part): boolean {
    const variable = unknownVariable(table);
    if (variable === undefined) return false;
    const reason = `the name of a table depends on the variable "${variable}", which has no known value`;
    const component = part.component.name;
    unknown.push({ component, place: part.place, reason, tables: [], isAfterOther: false });
    return true;
  }

  function unknownVariable({ database, schema, table }: TableName): string | undefined {
    return variables.unknownIn(`${database}.${schema}.${table}`);
  }

  function noteUnbound(part: Part, reason: string, at?: Place): void {
    const { place } = part;
    const component = part.component.name;
    const isAfterOther = at === undefined;
    unknown.push({ component, place: at ?? place, reason, tables: usedTables(), isAfterOther });
    const targets = new Set<string>();
    for (const { table, mode } of targetsOf(part)) {
      targets.add(physicalTable(table));
      if (unknownVariable(table) === undefined) writes.push({ table, component, place, mode });
    }
    for (const [sql, table] of [...recording.found, ...recording.missed]) {
      if (targets.has(sql) || unknownVariable(table) !== undefined) continue;
      reads.push({ table: plain(table), component, place, ...columnsRead(sql), isBound: false });
    }
  }

  function usedTables(): readonly TableName[] {
    return [...recording.found.values(), ...recording.missed.values()].map(plain);
  }

  /** Nothing if what names the table cannot be read. */
  function targetsOf(part: Part): ReturnType<Part['fallback']> {
    try {
      return part.fallback();
    } catch (error) {
      if (isExpected(error)) return [];
      throw error;
    }
  }

  /** Why a failure need not be a fault of the pipeline: empty if its message says it, undefined if it is one. */
  function doubtOf(error: unknown, part: Part): string | undefined {
    const code = error instanceof SqlError ? error.code : undefined;
    const isAboutNames = code === 'missing-column' || code === 'ambiguous-column';
    const [variable] = variables.unknownReads();
    // A column that is missing is missing whatever the values are, unless its name or its table depends on one.
    if (variable !== undefined && !(isAboutNames && isWithoutUnknown(error)))
      return `the variable "${variable}" has no known value`;
    if (!(error instanceof SqlError || error instanceof ParameterError)) return '';
    if (code === 'missing-table') return '';
    const isSure = inputs(part).every((each) => (isAboutNames ? each.areNamesComplete : each.areTypesKnown));
    return isSure ? undefined : 'it reads a table whose columns are only guessed';
  }

  function isWithoutUnknown(error: unknown): boolean {
    const names = [...recording.found.values()].map(
      ({ database, schema, table }) => `${database}.${schema}.${table}`,
    );
    return [messageOf(error), ...names].every((text) => variables.unknownIn(text) === undefined);
  }

  return {
    warehouse,
    variables,
    reader,
    reads,
    writes,
    problems,
    unknown,
    noteColumn(table, column) {
      const columns = recording.columns.get(table) ?? new Set();
      recording.columns.set(table, columns.add(column));
    },
    async bind(part, work) {
      const failed = await attempt(work);
      if (failed === undefined) {
        note(part);
        return true;
      }
      const { error, component } = blame(failed.error, part);
      const doubt = doubtOf(error, part);
      const message = messageOf(error);
      const place = placeOf(error) ?? part.place;
      if (doubt === undefined && (error instanceof SqlError || error instanceof ParameterError)) {
        const code = error instanceof SqlError ? error.code : undefined;
        problems.push({ component, place, message, code, tables: usedTables() });
      }
      noteUnbound(part, doubt === undefined || doubt === '' ? message : `${doubt}: ${message}`, place);
      return false;
    },
    skip(part, reason) {
      begin(0);
      noteUnbound(part, reason);
    },
  };
}

function plain({ database, schema, table }: TableName): TableName {
  return { database, schema, table };
}
