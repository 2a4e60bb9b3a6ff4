import type { Component } from '../../lib/pipelines/model/component.ts';
import type { YamlNode } from '../../lib/yaml/yaml-node.ts';
import type { Column, TableName } from '../core/relation.ts';
import type { SourceText } from '../core/source-text.ts';
import type { DialectContext, NamedRelation } from '../core/dialect.ts';
import type { Warehouse } from '../duckdb/connection/warehouse.ts';
import type { ParameterReader } from '../parameters/parameter-reader.ts';

export type ParameterForm =
  'text' | 'number' | 'yes-no' | 'choice' | 'names' | 'rows' | 'typed rows' | 'conditions' | 'tree';

/** One parameter of a component type. A value that is set and that no parameter describes is refused. */
export interface Parameter {
  readonly form: ParameterForm;
  /** What it means; `docs/engine.md` shows it. */
  readonly meaning: string;
  /** The largest number of cells in one of its rows: more are refused, because nothing reads them. By default 4 for types and conditions. */
  readonly cells?: number;
  /** The values of a `choice`, compared without case. Any other value is refused. */
  readonly choices?: readonly string[];
  /** It is accepted, and has no effect on one machine. */
  readonly isIgnored?: true;
}

/** The output of a source component, as the component that reads it sees it. */
export interface Input extends NamedRelation {
  /** The name of the source component. */
  readonly name: string;
  /** A complete SELECT of its rows, for a statement or a view. `sql` is a name that only other components know. */
  readonly query: string;
}

/** What is needed to write the SQL of a component. */
export interface Binding {
  readonly component: Component;
  /** The tree under `parameters`. */
  readonly parameters: YamlNode;
  readonly reader: ParameterReader;
  /** The outputs of its sources, in the order of `sources`. */
  readonly inputs: readonly Input[];
  /** Its `components` are the inputs by name. */
  readonly dialect: DialectContext;
  /** Something that the user should know and that does not stop the component. */
  notice(message: string): void;
}

/**
 * SQL that a component contains as text. If a statement fails, each of these texts is run separately to find the
 * one that fails.
 */
export interface WrittenSql {
  readonly source: SourceText;
  /** DuckDB's SQL that computes it over the names of the inputs; of a writer, a complete query. */
  readonly sql: string;
}

/** The output of a component that produces rows: one SELECT in DuckDB's SQL over the names of its inputs. */
export interface RowsOutput {
  readonly kind: 'rows';
  readonly sql: string;
  /** In the order of the SELECT; no two names are equal or differ in case only (`checkColumns`). */
  readonly columns: readonly Column[];
  /** Whether it reads whole tables and nothing else, so that its rows can be counted without computing anything. */
  readonly isOfTables?: boolean;
  /** Queries about its inputs that run with the component, for notices. */
  readonly checks?: readonly RowsCheck[];
  /** In the order in which they depend on each other. */
  readonly written?: readonly WrittenSql[];
}

export interface RowsCheck {
  /** A complete query of one number. */
  readonly sql: string;
  /** The notice about that number; undefined if there is none to give. */
  notice(count: number): string | undefined;
}

/** The output of a component that writes a table or a view. */
export interface WriteOutput {
  readonly kind: 'write';
  readonly target: TableName;
  /** Whether it creates or replaces a table or view. */
  readonly definesTables: boolean;
  /** What it runs, for people to read. */
  readonly statements: readonly string[];
  readonly written?: readonly WrittenSql[];
  /** Runs in one transaction. Throws SqlError. */
  write(warehouse: Warehouse): Promise<Written>;
}

export interface Written {
  /** Undefined for a view. */
  readonly rows: number | undefined;
  /** One sentence: `3 rows written to "orders".` */
  readonly message: string;
}

/** A component type of transformations. */
export interface ComponentType {
  /** As files write it. */
  readonly type: string;
  /** Other spellings of the same type. */
  readonly aliases?: readonly string[];
  readonly group:
    'read' | 'row' | 'column' | 'group' | 'combine' | 'nested' | 'free SQL' | 'write' | 'mocked';
  /** What it does, in one sentence. */
  readonly summary: string;
  readonly parameters: Readonly<Record<string, Parameter>>;
  /** It stores the SQL of its sources, which is evaluated later: the clock's time must not be written into it. */
  readonly storesSql?: true;
  /** The least and the most number of sources. */
  readonly inputs: readonly [least: number, most: number];
  /**
   * Reads the parameters, and decides SQL and output columns without running anything. Throws Refusal for what is not
   * supported, ParameterError for a parameter of a wrong form, and SqlError for what the warehouse itself would refuse.
   */
  bind(binding: Binding): RowsOutput | WriteOutput;
}

/** The input of a component with exactly one source; the number was checked before. */
export function onlyInput({ inputs, component }: Binding): Input {
  const [input] = inputs;
  if (input === undefined) throw new Error(`the component "${component.name}" was bound without an input`);
  return input;
}
