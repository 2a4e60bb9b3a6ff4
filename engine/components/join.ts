import { Refusal, SqlError } from '../core/refusal.ts';
import type { SourceText } from '../core/source-text.ts';
import type { Scope } from '../core/dialect.ts';
import { translateJoin } from '../dialect/translate.ts';
import { ParameterError } from '../parameters/parameter-error.ts';
import type { Row } from '../parameters/read-rows.ts';
import type { Binding, ComponentType, Input, RowsOutput } from './component-type.ts';
import { findColumn, storedName } from './find-column.ts';
import { findInput } from './find-input.ts';
import { placeOf, requiredCell, requiredRows, requiredText } from './read-cells.ts';
import { type Cell, copyCell, selectCells } from './select-list.ts';

export const join: ComponentType = {
  type: 'join',
  group: 'combine',
  summary: 'Joins its inputs one after another, each with its own expression.',
  // One input that is joined to itself is one source.
  inputs: [1, 100],
  parameters: {
    mainTable: { form: 'text', meaning: 'the component that the other components are joined to' },
    mainTableAlias: { form: 'text', meaning: 'its name in expressions' },
    joins: {
      form: 'rows',
      cells: 3,
      meaning: 'in each row: a component, its name in expressions, and Inner, Left, Right or Full',
    },
    joinExpressions: {
      form: 'rows',
      cells: 2,
      meaning:
        'in each row: the expression of a join, and the name of the join: `<main alias>_<type>_<alias>`',
    },
    columnMappings: {
      form: 'rows',
      cells: 2,
      meaning: 'in each row: `alias.column`, and the name of the output column',
    },
  },
  bind: bindJoin,
};

/** An input, under one of its aliases. */
interface Side {
  readonly alias: SourceText;
  readonly input: Input;
  /** The input's name in DuckDB's SQL. */
  readonly sql: string;
}

type Word = 'INNER' | 'LEFT' | 'RIGHT' | 'FULL';

const words: ReadonlyMap<string, Word> = new Map([
  ['inner', 'INNER'],
  ['left', 'LEFT'],
  ['right', 'RIGHT'],
  ['full', 'FULL'],
]);

function bindJoin(binding: Binding): RowsOutput {
  const main = requiredText(binding, 'mainTableAlias');
  const first = sideOf(binding, requiredText(binding, 'mainTable'), main, []);
  const sides = [first];
  const rows = requiredRows(binding, 'joins');
  const expressions = expressionsOf(binding, main, rows);
  const joined = rows.map((row, index) => {
    const type = requiredCell(row, 2, 'type of join');
    const word = words.get(type.text.trim().toLowerCase());
    if (word === undefined) {
      throw new Refusal(`the join ${type.text}`, type.placeOf(0), 'use Inner, Left, Right or Full');
    }
    const component = requiredCell(row, 0, 'component');
    const side = sideOf(binding, component, requiredCell(row, 1, 'alias'), sides);
    sides.push(side);
    const scopes = [scopeOf(sides.slice(0, -1)), scopeOf([side])] as const;
    const expression = expressions[index];
    if (expression === undefined) throw new Error('a join has no expression');
    return { word, side, expression, on: translateJoin(word, expression, scopes, binding.dialect) };
  });
  const cells = requiredRows(binding, 'columnMappings').map((row) => cellOf(binding, row, sides));
  const { tables, nameOf } = repeatedInputs(sides);
  const joins = joined.map(({ word, side, on }) => ` ${word} JOIN ${nameOf(side)} AS ${side.sql} ON ${on}`);
  const from = `FROM ${nameOf(first)} AS ${first.sql}${joins.join('')}`;
  const { sql, columns } = selectCells(cells, from, placeOf(binding, 'columnMappings'));
  const written = joined.map(({ expression }, index) => ({
    source: expression,
    sql: `${tables}SELECT 1 FROM ${nameOf(first)} AS ${first.sql}${joins.slice(0, index + 1).join('')}`,
  }));
  return { kind: 'rows', sql: tables + sql, columns, written };
}

function scopeOf(sides: readonly Side[]): Scope {
  return new Map(sides.map(({ alias, input, sql }) => [alias.text, { sql, columns: input.columns }]));
}

/**
 * The inputs that are joined to themselves. Such an input must be computed only once, so that all its sides have the
 * same rows.
 */
function repeatedInputs(sides: readonly Side[]): {
  readonly tables: string;
  readonly nameOf: (side: Side) => string;
} {
  const repeated = sides.filter((side) => sides.find(({ input }) => input === side.input) !== side);
  const names = new Map(repeated.map(({ input }, index) => [input, `repeated_${index + 1}`]));
  const list = [...names].map(([input, name]) => `${name} AS MATERIALIZED (SELECT * FROM ${input.sql})`);
  return {
    tables: list.length === 0 ? '' : `WITH ${list.join(', ')} `,
    nameOf: ({ input }) => names.get(input) ?? input.sql,
  };
}

function sideOf(binding: Binding, component: SourceText, alias: SourceText, before: readonly Side[]): Side {
  const { warehouse } = binding.dialect;
  const stored = storedName(alias.text, warehouse);
  if (before.some((side) => storedName(side.alias.text, warehouse) === stored)) {
    throw new SqlError(`two inputs have the alias "${alias.text}": change one in joins or mainTableAlias`, {
      place: alias.placeOf(0),
    });
  }
  return { alias, input: findInput(binding, component), sql: `input_${before.length + 1}` };
}

/**
 * The expression of each join. It is in the row that has the name of the join, otherwise in the row at the same
 * position.
 */
function expressionsOf(binding: Binding, main: SourceText, joins: readonly Row[]): readonly SourceText[] {
  const rows = requiredRows(binding, 'joinExpressions');
  const names = joins.map(
    ({ cells: [, alias, type] }) => `${main.text}_${type?.text ?? ''}_${alias?.text ?? ''}`,
  );
  const named = names.map((name) =>
    rows.find(({ cells }) => cells[1]?.text.trim().toLowerCase() === name.toLowerCase()),
  );
  const used = joins.map((joined, index) => {
    const row = named[index] ?? rows[index];
    const isOther = named.some((other, position) => position !== index && other === row);
    if (row === undefined || isOther) {
      throw new ParameterError(
        `the join of "${joined.cells[1]?.text ?? ''}" has no row in joinExpressions: add a row with the expression of this join`,
        joined.place,
      );
    }
    return row;
  });
  const stray = rows.find((row) => !used.includes(row));
  if (stray !== undefined)
    throw new ParameterError(
      `this row of joinExpressions does not belong to a join, or its join already has a row: delete the row, or write the name of its join into its second cell: ${names.map((name) => `"${name}"`).join(', ')}`,
      stray.place,
    );
  return used.map((row) => requiredCell(row, 0, 'expression'));
}

/** The output column of a mapping. The first cell is split at its first dot into alias and column. */
function cellOf(binding: Binding, row: Row, sides: readonly Side[]): Cell {
  const { dialect } = binding;
  const from = requiredCell(row, 0, 'column');
  const dot = from.text.indexOf('.');
  if (dot < 0) {
    const message = `expected alias.column in ${row.parameter}, found "${from.text}"`;
    throw new ParameterError(message, from.placeOf(0));
  }
  const storedAlias = storedName(from.text.slice(0, dot), dialect.warehouse);
  const side = sides.find(({ alias }) => storedName(alias.text, dialect.warehouse) === storedAlias);
  if (side === undefined) {
    const aliases = sides.map(({ alias }) => `"${alias.text}"`).join(', ');
    throw new SqlError(`no input has the alias "${storedAlias}"; there are ${aliases}`, {
      place: from.placeOf(0),
    });
  }
  const name = {
    text: from.text.slice(dot + 1),
    placeOf: (offset: number) => from.placeOf(dot + 1 + offset),
  };
  const column = findColumn(side.input.columns, name, dialect, `"${side.alias.text}"`);
  const output = storedName(requiredCell(row, 1, 'output column').text, dialect.warehouse);
  return copyCell(column, { ...side, columns: side.input.columns }, output);
}
