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

/** What is known about the surroundings of a pipeline when the pipeline is bound. */
export interface BindingContext {
  /** A warehouse in memory that is used for nothing else. Binding drops everything in it. */
  readonly warehouse: Warehouse;
  readonly kind: WarehouseKind;
  readonly defaults: EnvironmentDefaults;
  /** Returns the text of a file of the project. */
  readonly files: (path: string) => string | undefined;
  /**
   * Returns a table that something outside the pipeline defines. Undefined if its columns are not known.
   * @param isMissing whether the pipeline itself has not created the table
   */
  readonly tableOf: (table: TableName, isMissing: boolean) => KnownTable | undefined;
  /**
   * Returns the tables of a schema whose names match the pattern, and whose columns something outside the pipeline
   * defines.
   */
  readonly tablesLike?: (
    schema: Pick<TableName, 'database' | 'schema'>,
    matches: (table: string) => boolean,
  ) => readonly TableName[];
  /** The variables of the pipeline that a caller may set. */
  readonly setByCallers: ReadonlySet<string>;
  /** Whether to find out which columns the written columns come from. This takes longer. */
  readonly traces?: boolean | undefined;
}

/** A part of a pipeline that is bound as a unit: a component, or one statement of a component's script. */
export interface Part {
  readonly component: Component;
  readonly place: Place;
  /** The components of the same pipeline whose rows this part reads. */
  readonly sources?: readonly string[];
  /** Returns the output columns of a component, after the component was bound. */
  readonly output?: () => readonly Column[] | undefined;
  /** Returns the component whose rows a transformation's SQL refers to with the given name. */
  readonly componentOf?: (sqlName: string) => string | undefined;
  /** Returns what the part does with tables although it cannot be bound. */
  readonly uses: () => PartUses;
}

/** What a part that cannot be bound does with tables, as far as its text and parameters show. */
export interface PartUses extends OtherUses {
  readonly writes: readonly {
    readonly table: TableName;
    readonly mode: WriteMode;
    /** Whether the part replaces an existing table by a new one. Default: false. */
    readonly isReplaced?: boolean | undefined;
  }[];
  readonly reads?: readonly TableName[];
}

/** An error and the component that caused it. The cause may be an earlier component. */
export interface Blamed {
  readonly error: unknown;
  readonly component: string;
}

/** Binds the parts of one pipeline, one after another, and collects what they do with tables. */
export interface Binder extends BoundPipeline {
  readonly warehouse: RecordingWarehouse;
  readonly variables: SymbolicVariables;
  readonly reader: ParameterReader;
  /** The callback for `DialectContext.noteColumn`. */
  noteColumn(table: string, column: string): void;
  /** The callback for `DialectContext.missingColumn`. */
  readonly missingColumn: (error: Error) => boolean;
  /** The callback for `DialectContext.searchTables`. */
  searchTables(pattern: TableName, matches: (table: string) => boolean): void;
  /**
   * Runs `work` and notes what it did. As long as `work` lacks a table that can be created, creates the table and
   * runs `work` again. Each attempt is in a transaction, so that a failed attempt is undone. Returns whether the part
   * could be bound.
   */
  bind(part: Part, work: () => Promise<unknown>): Promise<boolean>;
  /** Notes that a part cannot be bound. */
  skip(part: Part, reason: string): void;
}
