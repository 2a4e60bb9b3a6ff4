import type { ConstantsOf } from './known-constants.ts';
import { otherValues, rawOf, writtenAs } from './cell-values.ts';
import type { InputRow, Inputs, InputTable } from './input-tables.ts';
import type { Keys } from './key-columns.ts';

/** Rows added to a test to see the effect of one changed value or row. */
export interface Scenario {
  /** The rows for each input, in the order of the inputs. */
  readonly rows: readonly (readonly InputRow[])[];
  /** The column whose value is another one; undefined if the row itself is the point. */
  readonly column: string | undefined;
  /** The same scenario with keys near the keys of the test. Of several scenarios in a test, each has its own number, from 1. */
  readonly near: (number: number) => Scenario;
}

/** More scenarios are not made from one column, nor from all. */
const maxPerColumn = 40;
const maxScenarios = 600;

interface Row {
  readonly row: InputRow;
  readonly at: number;
  readonly table: number;
}

/**
 * Scenarios in which one value or one row of the test's rows is changed. Each has keys of its own, and related rows
 * in the other tables, so that many scenarios fit into one run. The most promising ones come first.
 */
export function scenariosOf(inputs: Inputs, keys: Keys, constantsOf: ConstantsOf): readonly Scenario[] {
  const byRow = inputs.flatMap((input, table) =>
    templates(input, constantsOf).map(({ row, at, rank }) =>
      rowScenarios({ row, at, table }, inputs, keys, rank),
    ),
  );
  const byColumn = inputs.flatMap((input, table) =>
    input.columns.map((column, place) =>
      templates(input, constantsOf).flatMap(({ row, at, rank: later }) =>
        otherValues(row.cells[place] ?? 'null', column.type, constantsOf(column.name))
          .slice(0, maxPerColumn)
          .map(({ text, purpose, rank }): Plan => {
            const changed = withCell(row, place, text, `${column.name}: ${purpose}`);
            return {
              table,
              base: { row, at, table },
              changed: () => [changed],
              place,
              column: column.name,
              rank: rank + later,
            };
          }),
      ),
    ),
  );
  const plans = [...inTurn(byRow), ...inTurn(byColumn)]
    .toSorted((a, b) => a.rank - b.rank)
    .slice(0, maxScenarios);
  const unit = unitOf(inputs, keys);
  const scenario = (plan: Plan, number: number): Scenario => ({
    ...build(plan, unit * number, inputs, keys),
    near: (other) => scenario(plan, other),
  });
  return plans.map((plan, index) => scenario(plan, index + 1));
}

/** A scenario before its keys are its own. */
interface Plan {
  /** Lower ones are tried first. */
  readonly rank: number;
  readonly table: number;
  readonly base: Row;
  /** The rows of the table, from the row with its keys. */
  readonly changed: (row: InputRow) => readonly InputRow[];
  /** The changed cell, which keeps its new value also in a key. */
  readonly place?: number;
  readonly column?: string;
  /** The other tables have no row that belongs to it. */
  readonly isAlone?: boolean;
  /** The keys stay as the test has them. */
  readonly hasSameKeys?: boolean;
}

interface Template {
  readonly row: InputRow;
  readonly at: number;
  /** How much later its scenarios are tried. */
  readonly rank: number;
}

/**
 * The rows from which values vary: the first ones of an input, and one that has in each column the constant beside the column's name, so that
 * it passes several conditions at once.
 */
function templates({ rows, columns }: InputTable, constantsOf: ConstantsOf): readonly Template[] {
  const own = rows.slice(0, 2).map((row, at) => ({ row, at, rank: at * 2 }));
  const [first] = rows;
  if (first === undefined) return own;
  const cells = columns.map(({ name, type }, index) => {
    const near = constantsOf(name).flatMap(({ value, isNear }) =>
      isNear ? (writtenAs(value, type) ?? []) : [],
    );
    const cell = first.cells[index] ?? 'null';
    return near.includes(cell) ? cell : (near[0] ?? cell);
  });
  const differing = cells.filter((cell, index) => cell !== first.cells[index]).length;
  return differing < 2 ? own : [...own, { row: { cells }, at: 2, rank: 1 }];
}

function rowScenarios(base: Row, inputs: Inputs, keys: Keys, rank: number): readonly Plan[] {
  const { table } = base;
  const input = inputs[table];
  if (input === undefined) return [];
  const hasKey = input.columns.some((column) => keys.isKey(column) || column.type.name === 'VARIANT');
  const because = (row: InputRow, purpose: string): InputRow => ({ ...row, purpose });
  const distinct = (row: InputRow) => because(distinctRow(row, input, keys), 'another value in each column');
  return [
    { table, base, rank, changed: (row) => [distinct(row)] },
    {
      table,
      base,
      rank,
      changed: (row) => [because(row, 'a row once more'), because(row, 'the same row again')],
    },
    ...(hasKey
      ? [
          {
            table,
            base,
            rank,
            isAlone: true,
            changed: (row: InputRow) => [because(row, 'no row in the other tables')],
          },
          {
            table,
            base,
            rank,
            changed: (row: InputRow) => [
              because(row, 'a key that is there twice'),
              because(distinctRow(row, input, keys), 'the same key with other values'),
            ],
          },
        ]
      : []),
    { table, base, rank, hasSameKeys: true, changed: (row) => [because(row, 'the same row again')] },
    {
      table,
      base,
      rank,
      hasSameKeys: true,
      changed: (row) => [because(distinctRow(row, input, keys), 'the same key with other values')],
    },
    ...(inputs.length > 1 ? [{ table, base, rank, changed: () => [] }] : []),
  ];
}

/** A row whose values all differ, so that a test notices which column a value comes from. Keys stay. */
function distinctRow(row: InputRow, { columns }: InputTable, keys: Keys): InputRow {
  return {
    ...row,
    cells: row.cells.map((cell, index) => {
      const column = columns[index];
      if (column === undefined || keys.isKey(column)) return cell;
      const raw = rawOf(cell);
      const day = /^\d{4}-\d{2}-/.exec(raw ?? '')?.[0];
      const candidates =
        day === undefined
          ? [
              /^-?\d+(?:\.\d+)?$/.test(raw ?? '')
                ? String(Number(raw) + 2 + index)
                : `${raw ?? ''}${String.fromCodePoint(97 + (index % 26))}`,
              raw === 'true' ? 'false' : 'true',
            ]
          : [`${day}${String(10 + (index % 18))}${(raw ?? '').slice(10)}`];
      const other = candidates.map((text) => writtenAs(text, column.type)).find((text) => text !== undefined);
      return other ?? cell;
    }),
  };
}

function withCell(row: InputRow, place: number, text: string, purpose: string): InputRow {
  return { cells: row.cells.map((cell, index) => (index === place ? text : cell)), purpose };
}

function build(plan: Plan, distance: number, inputs: Inputs, keys: Keys): Omit<Scenario, 'near'> {
  const own = inputs[plan.table];
  const column = plan.column;
  if (own === undefined) return { rows: [], column };
  const far = plan.hasSameKeys === true ? 0 : distance;
  const shifted = keys.apart(plan.base.row, own, far);
  const changed = plan.changed(shifted).map((row) =>
    plan.place === undefined
      ? row
      : {
          ...row,
          cells: shifted.cells.map((cell, index) =>
            index === plan.place ? (row.cells[index] ?? cell) : cell,
          ),
        },
  );
  const isAlone = plan.isAlone === true || plan.hasSameKeys === true;
  const rows = inputs.map((input, table): readonly InputRow[] => {
    if (table === plan.table) return changed;
    if (isAlone) return [];
    const partner = partnerOf(plan.base.row, own, input, keys);
    if (partner === undefined) return [];
    const moved = keys.apart(partner, input, distance);
    // A table without a key would have the same row again.
    return moved.cells.every((cell, index) => cell === partner.cells[index])
      ? []
      : [{ ...moved, purpose: undefined }];
  });
  return { rows, column };
}

/** The row of another table that has a key of a row, or else the first. */
function partnerOf(row: InputRow, own: InputTable, other: InputTable, keys: Keys): InputRow | undefined {
  const places = own.columns.flatMap((column, index) =>
    keys.isKey(column) ? keys.partners(column, other).map((place) => [index, place] as const) : [],
  );
  const matching = other.rows.find((candidate) =>
    places.some(
      ([index, place]) => rawOf(row.cells[index] ?? 'null') === rawOf(candidate.cells[place] ?? 'null'),
    ),
  );
  return matching ?? other.rows[0];
}

/** A power of ten that is larger than the distance between the keys of the test. */
function unitOf(inputs: Inputs, keys: Keys): number {
  const numbers = inputs.flatMap(({ rows, columns }) =>
    rows.flatMap(({ cells }) =>
      cells.flatMap((cell, index) => {
        const column = columns[index];
        const raw = column === undefined || !keys.isKey(column) ? undefined : rawOf(cell);
        return raw !== undefined && /^\d{1,6}$/.test(raw) ? [Number(raw)] : [];
      }),
    ),
  );
  const range = numbers.length === 0 ? 0 : Math.max(...numbers) - Math.min(...numbers);
  return range < 9 ? 10 : range < 99 ? 100 : 1000;
}

/** The first item of each list, then the second of each. */
function inTurn<Item>(lists: readonly (readonly Item[])[]): readonly Item[] {
  const length = Math.max(0, ...lists.map((list) => list.length));
  return Array.from({ length }, (_, index) => lists.flatMap((list) => list.slice(index, index + 1))).flat();
}

/** The rows of a test, with the rows of scenarios added. */
export function withScenarios(inputs: Inputs, scenarios: readonly Scenario[]): Inputs {
  return inputs.map((input, table) => ({
    ...input,
    rows: [...input.rows, ...scenarios.flatMap(({ rows }) => rows[table] ?? [])],
  }));
}
