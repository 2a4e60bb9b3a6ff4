import { childOf } from '../../lib/yaml/yaml-node.ts';
import { numberOf } from '../../lib/core/text/number-of.ts';
import type { Column } from '../core/relation.ts';
import type { SourceText } from '../core/source-text.ts';
import type { Scope } from '../core/dialect.ts';
import { translateCondition, translateExpression } from '../dialect/translate.ts';
import { comparedText } from '../dialect/write/sql/equal-texts.ts';
import { quoteName, quoteText } from '../duckdb/catalog/physical-name.ts';
import { ParameterError } from '../parameters/parameter-error.ts';
import { fixedText, readNames, readRows, type Row } from '../parameters/read-rows.ts';
import type { Binding, ComponentType, Input, RowsCheck, RowsOutput } from './component-type.ts';
import { findInputColumn, storedName } from './find-column.ts';
import { findInput } from './find-input.ts';
import { placeOf, readPair, requiredRows, requiredText } from './read-cells.ts';
import { type Cell, copyCell, selectCells, TEXT, valueCell } from './select-list.ts';

export const detectChanges: ComponentType = {
  type: 'detect-changes',
  group: 'combine',
  summary: 'Compares two inputs by their keys, and marks each row as new, deleted, changed or identical.',
  inputs: [2, 2],
  parameters: {
    masterTable: { form: 'text', meaning: 'the source that the other source is compared with' },
    matchKeys: {
      form: 'names',
      meaning: 'the columns that identify a row; a row with a NULL in one of them is ignored',
    },
    compareColumns: {
      form: 'names',
      meaning: 'the columns to compare: a row is changed if one of them differs; two NULLs count as equal',
    },
    outputColumnMapping: {
      form: 'rows',
      cells: 2,
      meaning: 'in each row: `master_COLUMN` or `compare_COLUMN`, and the name of the output column',
    },
    indicatorColumn: {
      form: 'text',
      meaning: 'the output column with `N` (new), `D` (deleted), `C` (changed) or `I` (identical)',
    },
  },
  bind: bindChanges,
};

const master = 'master_1';
const other = 'compare_1';

interface Sides {
  readonly master: Input;
  readonly other: Input;
  /** The scope with the alias `m` for the master input and the alias `c` for the input that is compared with it. */
  readonly scope: Scope;
}

function bindChanges(binding: Binding): RowsOutput {
  const { parameters, reader, dialect } = binding;
  const sides = sidesOf(binding);
  requiredRows(binding, 'matchKeys');
  const keys = readNames(childOf(parameters, 'matchKeys'), reader);
  const compared = readNames(childOf(parameters, 'compareColumns'), reader);
  const indicator = requiredText(binding, 'indicatorColumn').text;
  const cells = [
    ...keys.map((key) => keyCell(binding, key, sides)),
    ...readRows(childOf(parameters, 'outputColumnMapping'), reader).map((row) =>
      mappedCell(binding, row, sides),
    ),
    {
      name: storedName(indicator, dialect.warehouse),
      type: TEXT,
      sql: indicatorSql(binding, keys, compared, sides),
    },
  ];
  const matches = keys.map((key) => pairSql(binding, key, '=', sides)).join(' AND ');
  const from = `FROM ${rowsWithKeys(binding, keys, sides.master)} AS ${master} FULL JOIN ${rowsWithKeys(binding, keys, sides.other)} AS ${other} ON ${matches}`;
  const rows = selectCells(cells, from, placeOf(binding, 'outputColumnMapping'));
  return { ...rows, checks: binding.inputs.map((input) => doubledKeys(binding, keys, input)) };
}

/** Counts keys that occur more than once: they multiply rows, as in a join. */
function doubledKeys({ dialect }: Binding, keys: readonly SourceText[], input: Input): RowsCheck {
  const values = keys.map((key) => {
    const { name, type } = findInputColumn(key, input, dialect);
    return comparedText({ sql: quoteName(name), type }, dialect.warehouse);
  });
  const isKey = values.map((value) => `${value} IS NOT NULL`).join(' AND ');
  const doubled = `SELECT 1 FROM (${input.query}) WHERE ${isKey} GROUP BY ${values.join(', ')} HAVING count(*) > 1`;
  return {
    sql: `SELECT count(*) FROM (${doubled})`,
    notice: (count) =>
      count === 0
        ? undefined
        : `${numberOf(count, 'key')} of "${input.name}" ${count === 1 ? 'appears' : 'appear'} more than once: the output has a row for each pair of equal keys`,
  };
}

function sidesOf(binding: Binding): Sides {
  const first = findInput(binding, requiredText(binding, 'masterTable'));
  const second = binding.inputs.find((input) => input !== first);
  if (second === undefined) throw new Error('the number of sources was not checked');
  const scope = new Map([
    ['m', { sql: master, columns: first.columns }],
    ['c', { sql: other, columns: second.columns }],
  ]);
  return { master: first, other: second, scope };
}

/** The two columns with this name, one from each side, with an operator of the warehouse's SQL between them. */
function pairSql(binding: Binding, name: SourceText, operator: string, sides: Sides): string {
  const [a, b] = bothColumns(binding, name, sides);
  const text = `"m".${quoteName(a.name)} ${operator} "c".${quoteName(b.name)}`;
  return translateCondition(fixedText(text, name.placeOf(0)), sides.scope, binding.dialect);
}

function bothColumns({ dialect }: Binding, name: SourceText, sides: Sides): readonly [Column, Column] {
  return [findInputColumn(name, sides.master, dialect), findInputColumn(name, sides.other, dialect)];
}

/** A key column of the output. Its value comes from the input that has the row. */
function keyCell(binding: Binding, name: SourceText, sides: Sides): Cell {
  const [a, b] = bothColumns(binding, name, sides);
  const text = `COALESCE("m".${quoteName(a.name)}, "c".${quoteName(b.name)})`;
  return valueCell(
    a.name,
    translateExpression(fixedText(text, name.placeOf(0)), sides.scope, binding.dialect),
  );
}

function mappedCell(binding: Binding, row: Row, sides: Sides): Cell {
  const [from, to] = readPair(row, 'column', 'output column');
  const [, side, column] = /^(master|compare)_(.+)$/is.exec(from.text) ?? [];
  if (side === undefined || column === undefined) {
    const message = `expected a column name that starts with master_ or compare_ in ${row.parameter}, found "${from.text}"`;
    throw new ParameterError(message, from.placeOf(0));
  }
  const isMaster = side.toLowerCase() === 'master';
  const input = isMaster ? sides.master : sides.other;
  const start = side.length + 1;
  const name = { text: column, placeOf: (offset: number) => from.placeOf(start + offset) };
  return copyCell(
    findInputColumn(name, input, binding.dialect),
    { sql: isMaster ? master : other, columns: input.columns },
    storedName(to.text, binding.dialect.warehouse),
  );
}

/** The expression for the indicator. A key is NULL only if the row is missing on that side. */
function indicatorSql(
  binding: Binding,
  [key]: readonly SourceText[],
  compared: readonly SourceText[],
  sides: Sides,
): string {
  if (key === undefined) throw new Error('no key');
  const [a, b] = bothColumns(binding, key, sides);
  const changes = compared.map((name) => pairSql(binding, name, 'IS DISTINCT FROM', sides));
  const branches = [
    [`${other}.${quoteName(b.name)} IS NULL`, 'D'],
    [`${master}.${quoteName(a.name)} IS NULL`, 'N'],
    ...(changes.length === 0 ? [] : [[changes.join(' OR '), 'C']]),
  ].map(([condition = '', value = '']) => `WHEN ${condition} THEN ${quoteText(value)}`);
  return `CASE ${branches.join(' ')} ELSE 'I' END`;
}

function rowsWithKeys({ dialect }: Binding, keys: readonly SourceText[], input: Input): string {
  const filters = keys.map((key) => `${quoteName(findInputColumn(key, input, dialect).name)} IS NOT NULL`);
  return `(SELECT * FROM ${input.sql} WHERE ${filters.join(' AND ')})`;
}
