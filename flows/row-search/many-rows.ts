import { rawOf, writtenAs } from './cell-values.ts';
import type { InputRow, Inputs, InputTable } from './input-tables.ts';
import type { Scenario } from './scenarios.ts';

/** Larger numbers would need more rows than a person reads. */
const maxNumber = 40;

/** More numbers, and more scenarios for each, are not tried. */
const maxNumbers = 2;
const maxKinds = 6;

export interface ManyRowsOptions {
  /** Texts of the changed part. */
  readonly focus: readonly string[];
  /** Whether the pipeline compares the column with a constant: then it keeps its value. */
  readonly hasConstants: (column: string) => boolean;
}

/**
 * Rows for a limit, a rank or a number of rows: as many different rows of a scenario as a number of the changed part says, one fewer and one more,
 * and one row that does not have the value of the scenario; and the other way around.
 */
export function* manyRows(
  given: Inputs,
  scenarios: readonly Scenario[],
  { focus, hasConstants }: ManyRowsOptions,
): Generator<Inputs> {
  const numbers = new Set(
    focus
      .flatMap((text) => [...text.matchAll(/(?<![\w.'"-])\d{1,2}(?![\w.'"-])/g)])
      .map(([text]) => Number(text))
      .filter((number) => number > 1 && number <= maxNumber),
  );
  const kinds = scenarios.filter(({ column, rows }) => column !== undefined && rows.flat().length > 0);
  for (const number of [...numbers].slice(0, maxNumbers))
    for (const kind of kinds.slice(0, maxKinds))
      for (const count of [number - 1, number, number + 1])
        for (const isUsual of [false, true])
          yield given.map((input, table) => {
            const rows = Array.from({ length: count + 1 }, (_, index) => {
              const hasUsualValue = index === count ? !isUsual : isUsual;
              return (kind.near(index + 1).rows[table] ?? []).map((row) => {
                const usual = hasUsualValue ? withUsualValue(row, input, kind.column ?? '') : row;
                return different(usual, input, index + 1, hasConstants);
              });
            }).flat();
            return rows.length === 0 ? input : { ...input, rows };
          });
}

function withUsualValue(row: InputRow, { columns, rows: [first] }: InputTable, column: string): InputRow {
  if (row.purpose === undefined || first === undefined) return row;
  const purpose = undefined;
  const cells = row.cells.map((cell, index) =>
    columns[index]?.name === column ? (first.cells[index] ?? cell) : cell,
  );
  return { cells, purpose };
}

/** A row with texts that no other row has. Keys differ already, and columns that the pipeline compares with constants keep their value. */
function different(
  row: InputRow,
  { columns, rows: [first] }: InputTable,
  number: number,
  hasConstants: ManyRowsOptions['hasConstants'],
): InputRow {
  return {
    ...row,
    cells: row.cells.map((cell, index) => {
      const column = columns[index];
      if (column?.type.name !== 'VARCHAR' || cell !== first?.cells[index] || hasConstants(column.name))
        return cell;
      return writtenAs(`${rawOf(cell) ?? ''}${number}`, column.type) ?? cell;
    }),
  };
}
