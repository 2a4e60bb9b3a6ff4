import type { Component } from '../../lib/pipelines/model/component.ts';
import type { Place } from '../core/refusal.ts';
import type { Column, TableName } from '../core/relation.ts';
import type { WarehouseKind } from '../core/sql-type.ts';
import type { Warehouse } from '../duckdb/connection/warehouse.ts';
import type { ParameterReader } from '../parameters/parameter-reader.ts';
import type { EnvironmentDefaults } from '../parameters/read-table.ts';
import type { BoundPipeline, KnownTable, OtherUses, WriteMode } from './bound-pipeline.ts';
import type { RecordingWarehouse } from './recording-warehouse.ts';
import type { SymbolicVariables } from './symbolic-variables.ts';

/** What is known outside of a pipeline when it is bound. */
export interface BindingContext {
  /** In memory, and used for nothing else: everything in it is dropped. */
  readonly warehouse: Warehouse;
  readonly kind: WarehouseKind;
  readonly defaults: EnvironmentDefaults;
  /** The text of a file of the project. */
  readonly files: (path: string) => string | undefined;
  /**
   * A table that something outside of the pipeline defines; undefined if its columns are not known.
   * @param isMissing the pipeline itself has not made the table
   */
  readonly tableOf: (table: TableName, isMissing: boolean) => KnownTable | undefined;
  /** The tables of a schema whose columns something outside of the pipeline defines, and whose names match. */
  readonly tablesLike?: (
    schema: Pick<TableName, 'database' | 'schema'>,
    matches: (table: string) => boolean,
  ) => readonly TableName[];
  /** Variables of the pipeline that a caller may set. */
  readonly setByCallers: ReadonlySet<string>;
  /** Whether to find out where the columns that are written come from, which takes longer. */
  readonly traces?: boolean | undefined;
}

/** A part of a pipeline that is bound as a unit: a component, or one statement of its script. */
export interface Part {
  readonly component: Component;
  readonly place: Place;
  /** Components of the same pipeline whose rows it reads. */
  readonly sources?: readonly string[];
  /** The columns that a component gives to others, after it was bound. */
  readonly output?: () => readonly Column[] | undefined;
  /** The component whose rows have a name in the SQL of a transformation. */
  readonly componentOf?: (sqlName: string) => string | undefined;
  /** What it does with tables although it cannot be bound. */
  readonly uses: () => PartUses;
}

/** What a part that cannot be bound does with tables, as far as its text and parameters show. */
export interface PartUses extends OtherUses {
  readonly writes: readonly {
    readonly table: TableName;
    readonly mode: WriteMode;
    /** Whether it puts a new table in the place of the one that is there. Default: false. */
    readonly isReplaced?: boolean | undefined;
  }[];
  readonly reads?: readonly TableName[];
}

/** An error, and the component that caused it, which may be an earlier one. */
export interface Blamed {
  readonly error: unknown;
  readonly component: string;
}

/** Binds the parts of one pipeline one after another, and collects what they do. */
export interface Binder extends BoundPipeline {
  readonly warehouse: RecordingWarehouse;
  readonly variables: SymbolicVariables;
  readonly reader: ParameterReader;
  /** For `DialectContext.noteColumn`. */
  noteColumn(table: string, column: string): void;
  /** For `DialectContext.missingColumn`. */
  readonly missingColumn: (error: Error) => boolean;
  /** For `DialectContext.searchTables`. */
  searchTables(pattern: TableName, matches: (table: string) => boolean): void;
  /**
   * Runs `work`, again as often as tables that it lacks can be created, and notes what it did. Returns whether it could be
   * bound. A transaction around each attempt undoes a failed one.
   */
  bind(part: Part, work: () => Promise<unknown>): Promise<boolean>;
  /** Notes a part that cannot be bound. */
  skip(part: Part, reason: string): void;
}
