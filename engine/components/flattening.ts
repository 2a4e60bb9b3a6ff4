import { Refusal, SqlError } from '../core/refusal.ts';
import type { Column } from '../core/relation.ts';
import type { SourceText } from '../core/source-text.ts';
import type { SqlType } from '../core/sql-type.ts';
import { castValue } from '../dialect/convert-value.ts';
import type { NamedRelation } from '../core/dialect.ts';
import { translateExpression } from '../dialect/translate.ts';
import { FLATTEN_COLUMNS, type FlattenOptions, flattenSql } from '../dialect/write/query/flatten.ts';
import { quoteName } from '../duckdb/catalog/physical-name.ts';
import { placeOfNode } from '../parameters/parameter-reader.ts';
import { type Binding, onlyInput } from './component-type.ts';
import { type Cell, copyCell } from './select-list.ts';

/** An input, with the FLATTEN calls that are joined to it. Values are expressions in the warehouse's SQL. */
export interface Flattening {
  /** The columns of the input. */
  readonly inputCells: readonly Cell[];
  /** Returns a column of the input as a value. */
  column(column: Column): string;
  /** Joins `FLATTEN(value)`, and returns one of its items as a value. */
  flatten(value: SourceText, options: FlattenOptions): string;
  /**
   * Returns a value as an output column of the given type. With `isTry`, a value that cannot be converted becomes
   * NULL.
   */
  cell(name: string, value: SourceText, type: SqlType, isTry?: boolean): Cell;
  /** Returns the clause `FROM …` with all FLATTEN calls. */
  from(): string;
}

const inputName = 'input_1';

export function openFlattening(binding: Binding): Flattening {
  const { dialect, component } = binding;
  const { columns, sql: source } = onlyInput(binding);
  if (dialect.warehouse !== 'WAREHOUSE_ONE') {
    const place = placeOfNode(binding.parameters, binding.reader);
    throw new Refusal(`${component.type} on a warehouse of the kind ${dialect.warehouse}`, place);
  }
  const input = { sql: inputName, columns };
  const scope = new Map<string, NamedRelation>([[inputName, input]]);
  const joined: string[] = [];
  let names = 0;
  const fresh = (prefix: string): string => `${prefix}_${(names += 1)}`;
  return {
    inputCells: columns.map((column) => copyCell(column, input)),
    column: ({ name }) => `"${inputName}".${quoteName(name)}`,
    flatten(value, options) {
      const { sql, type } = translateExpression(value, scope, dialect);
      if (type.name !== 'VARIANT') {
        const [, column] = /"\."((?:[^"]|"")+)"$/.exec(value.text) ?? [];
        const of = column === undefined ? '' : `: the column "${column.replaceAll('""', '"')}"`;
        const message = `only a VARIANT can be flattened, and this value has the type ${type.name}${of}`;
        throw new SqlError(message, { place: value.placeOf(0) });
      }
      const alias = fresh('flatten');
      joined.push(`, ${flattenSql(sql, options, fresh)} AS ${alias}`);
      scope.set(alias, { sql: alias, columns: FLATTEN_COLUMNS });
      return `"${alias}"."VALUE"`;
    },
    cell(name, value, type, isTry) {
      const translated = translateExpression(value, scope, dialect);
      return { name, ...castValue(translated, type, value.placeOf(0), dialect, isTry) };
    },
    from: () => `FROM ${source} AS ${inputName}${joined.join('')}`,
  };
}
