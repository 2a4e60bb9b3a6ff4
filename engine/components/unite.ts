import { childOf } from '../../lib/yaml/yaml-node.ts';
import type { Place } from '../core/refusal.ts';
import type { Column } from '../core/relation.ts';
import { shownForEqual } from '../dialect/write/sql/equal-texts.ts';
import { duckdbType } from '../duckdb/catalog/column-types.ts';
import { quoteName, quoteText } from '../duckdb/catalog/physical-name.ts';
import { ParameterError } from '../parameters/parameter-error.ts';
import { readText, readYesNo } from '../parameters/parameter-reader.ts';
import { castToCommon, commonColumnType } from './common-type.ts';
import type { Binding, ComponentType, Input, RowsOutput } from './component-type.ts';
import { checkColumns } from './find-column.ts';
import { placeOf } from './read-cells.ts';
import { copyCell, TEXT } from './select-list.ts';

export const unite: ComponentType = {
  type: 'unite',
  group: 'combine',
  summary: 'Combines the rows of all its inputs; columns with the same name become one column.',
  inputs: [1, 100],
  parameters: {
    method: {
      form: 'choice',
      meaning: 'whether the output has all columns of all inputs, or only the columns that every input has',
      choices: ['All Columns', 'Overlapping Columns'],
    },
    castTypes: {
      form: 'yes-no',
      meaning:
        'whether columns with the same name but different types are converted to one type; otherwise they are an error',
    },
    addSourceComponentColumn: {
      form: 'yes-no',
      meaning: 'whether a last column, `source_table`, contains the name of the input',
    },
    removeDuplicates: {
      form: 'yes-no',
      meaning: 'whether only one of several equal rows is kept; two NULLs count as equal',
    },
  },
  bind: bindUnite,
};

function bindUnite(binding: Binding): RowsOutput {
  const { parameters, reader, inputs } = binding;
  const yes = (key: string) => readYesNo(childOf(parameters, key), reader, false);
  const method = readText(childOf(parameters, 'method'), reader)?.text.trim().toLowerCase();
  const isCast = yes('castTypes');
  const names = namesOf(inputs, method === 'overlapping columns');
  if (names.length === 0) {
    throw new ParameterError(
      'the inputs have no column name in common, so the output would have no columns',
      placeOf(binding, 'method'),
    );
  }
  const place = placeOf(binding, 'castTypes');
  const columns = names.map((name) => {
    const same = inputs.flatMap((input) => input.columns.filter((column) => column.name === name));
    return { name, type: commonColumnType(same, isCast, place, binding.dialect) };
  });
  const source: readonly Column[] = yes('addSourceComponentColumn')
    ? [{ name: 'source_table', type: TEXT }]
    : [];
  const selects = inputs.map((input) => selectOf(binding, input, columns, source));
  return {
    kind: 'rows',
    // UNION would keep the duplicates of a single input.
    sql: yes('removeDuplicates')
      ? `SELECT DISTINCT * FROM (${selects.join(' UNION ALL ')})`
      : selects.join(' UNION ALL '),
    columns: checkColumns([...columns, ...source], placeOf(binding, 'method')),
  };
}

/** The columns of the first input, followed by the columns that each further input adds. */
function namesOf(inputs: readonly Input[], isOverlap: boolean): readonly string[] {
  const names = [...new Set(inputs.flatMap(({ columns }) => columns.map(({ name }) => name)))];
  return isOverlap ? names.filter((name) => inputs.every((input) => hasColumn(input, name))) : names;
}

function hasColumn({ columns }: Input, name: string): boolean {
  return columns.some((column) => column.name === name);
}

function selectOf(
  binding: Binding,
  input: Input,
  columns: readonly Column[],
  source: readonly Column[],
): string {
  const place = placeOf(binding, 'castTypes');
  const cells = columns.map(
    (column) => `${valueOf(binding, input, column, place)} AS ${quoteName(column.name)}`,
  );
  const names = source.map(({ name }) => `${quoteText(input.name)} AS ${quoteName(name)}`);
  return `SELECT ${[...cells, ...names].join(', ')} FROM ${input.sql}`;
}

function valueOf(binding: Binding, input: Input, { name, type }: Column, place: Place): string {
  const { dialect, parameters, reader } = binding;
  const keepsOne = readYesNo(childOf(parameters, 'removeDuplicates'), reader, false);
  const column = input.columns.find((each) => each.name === name);
  if (column === undefined || column.type.name === 'NULL') return `CAST(NULL AS ${duckdbType(type)})`;
  const { sql } = castToCommon(copyCell(column, input), type, place, dialect);
  return keepsOne ? shownForEqual({ sql, type }, 'DISTINCT', dialect.warehouse) : sql;
}
