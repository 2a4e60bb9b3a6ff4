import type { Component } from '../../lib/pipelines/model/component.ts';
import type { YamlNode } from '../../lib/yaml/yaml-node.ts';
import type { Column, TableName } from '../core/relation.ts';
import type { SourceText } from '../core/source-text.ts';
import type { DialectContext, NamedRelation } from '../core/dialect.ts';
import type { Warehouse } from '../duckdb/connection/warehouse.ts';
import type { ParameterReader } from '../parameters/parameter-reader.ts';

export type ParameterForm =
  'text' | 'number' | 'yes-no' | 'choice' | 'names' | 'rows' | 'typed rows' | 'conditions' | 'tree';

/**
 * A parameter of a component type. If a file sets a parameter that no such description allows, the component is
 * refused.
 */
export interface Parameter {
  readonly form: ParameterForm;
  /** The meaning of the parameter, as `docs/engine.md` shows it. */
  readonly meaning: string;
  /**
   * The maximum number of cells in a row of the parameter. A row with more cells is refused, because they would be
   * ignored. By default, the maximum is 4 for types and conditions.
   */
  readonly cells?: number;
  /** The allowed values of a `choice`. Upper and lower case do not matter. */
  readonly choices?: readonly string[];
  /** True if the parameter is accepted but has no effect on a single machine. */
  readonly isIgnored?: true;
}

/** The output of a source component, in the form in which a component that reads from it sees it. */
export interface Input extends NamedRelation {
  /** The name of the source component. */
  readonly name: string;
  /**
   * A complete SELECT of the source's rows, for use in a statement or a view. `sql`, in contrast, is a name that only
   * other components of the same run can use.
   */
  readonly query: string;
}

/** What is needed to write the SQL of a component. */
export interface Binding {
  readonly component: Component;
  /** The YAML under `parameters`. */
  readonly parameters: YamlNode;
  readonly reader: ParameterReader;
  /** The outputs of the component's sources, in the order of `sources`. */
  readonly inputs: readonly Input[];
  /** The context for translating SQL. Its `components` are the inputs by name. */
  readonly dialect: DialectContext;
  /** Reports something that the user should know, but that does not stop the component. */
  notice(message: string): void;
}

/**
 * SQL that a file contains as text. If a statement fails, each of these texts is run separately to find the text that
 * fails.
 */
export interface WrittenSql {
  readonly source: SourceText;
  /**
   * The text as an expression of DuckDB's SQL, which uses the names of the inputs. If the component writes a table, a
   * complete query.
   */
  readonly sql: string;
}

/**
 * The output of a component that produces rows: a single SELECT in DuckDB's SQL that uses the names of the
 * component's inputs.
 */
export interface RowsOutput {
  readonly kind: 'rows';
  readonly sql: string;
  /**
   * The columns in the order of the SELECT. No two names are equal or differ only in case (`checkColumns` makes
   * sure).
   */
  readonly columns: readonly Column[];
  /** Whether the component only reads whole tables, so that its rows can be counted without computing anything. */
  readonly isOfTables?: boolean;
  /** Queries about the inputs that run together with the component. Their results are reported as notices. */
  readonly checks?: readonly RowsCheck[];
  /** The texts of SQL in the component, in the order in which they depend on each other. */
  readonly written?: readonly WrittenSql[];
}

export interface RowsCheck {
  /** A complete query whose result is one number. */
  readonly sql: string;
  /** Returns the notice about this number, or undefined if there is nothing to report. */
  notice(count: number): string | undefined;
}

/** The output of a component that writes a table or a view. */
export interface WriteOutput {
  readonly kind: 'write';
  readonly target: TableName;
  /** Whether the component creates or replaces a table or view. */
  readonly definesTables: boolean;
  /** The statements that the component runs, for display. */
  readonly statements: readonly string[];
  readonly written?: readonly WrittenSql[];
  /** Writes the table or view in one transaction. Throws SqlError. */
  write(warehouse: Warehouse): Promise<Written>;
}

export interface Written {
  /** The number of written rows. Undefined for a view. */
  readonly rows: number | undefined;
  /** A sentence about the result, such as `3 rows written to "orders".` */
  readonly message: string;
}

/** A component type of transformations. */
export interface ComponentType {
  /** The name of the type in pipeline files. */
  readonly type: string;
  /** Other names of the same type in pipeline files. */
  readonly aliases?: readonly string[];
  readonly group:
    'read' | 'row' | 'column' | 'group' | 'combine' | 'nested' | 'free SQL' | 'write' | 'mocked';
  /** One sentence that says what the type does. */
  readonly summary: string;
  readonly parameters: Readonly<Record<string, Parameter>>;
  /**
   * True if the component stores the SQL of its sources, to be evaluated later. Such SQL must contain calls of clock
   * functions, not the current time.
   */
  readonly storesSql?: true;
  /** The minimum and the maximum number of sources. */
  readonly inputs: readonly [least: number, most: number];
  /**
   * Reads the parameters, and determines the SQL and the output columns without running anything. Throws Refusal for
   * something that the engine does not support, ParameterError for a parameter of the wrong form, and SqlError for
   * something that the warehouse would refuse too.
   */
  bind(binding: Binding): RowsOutput | WriteOutput;
}

/** The input of a component that has exactly one source. The number of sources must have been checked before. */
export function onlyInput({ inputs, component }: Binding): Input {
  const [input] = inputs;
  if (input === undefined) throw new Error(`the component "${component.name}" was bound without an input`);
  return input;
}
