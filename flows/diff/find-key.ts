import type { SqlType } from '../../engine/index.ts';

/** The rows of one side: for each row, its values as comparable texts, in the order of the columns. */
export type KeyedRows = readonly (readonly string[])[];

/** Both sides, and the positions of the columns that may identify a row. */
export interface KeySearch {
  readonly names: readonly string[];
  readonly before: KeyedRows;
  readonly after: KeyedRows;
  readonly candidates: readonly number[];
}

/** More columns are not combined. */
const maxCombined = 10;
/** More columns than this do not make a key. */
const maxColumns = 4;
/** In larger tables, at most two columns are combined: each combination reads all rows. */
const manyRows = 5000;

const keyWord = /(?:^|[_ ])(?:id|key|code|no|nr|number|sk|pk)$/i;
const keyEnding = /(?<=[a-z])(?:Id|Key|Code)$/;
/** Names of columns that number the rows. */
const rowNumber = /^row_?(?:no|nr|num|number|id)?$|^(?:rn|rownum)$/i;
/** Names that an aggregation gives to its results. */
const resultName = /^(?:count|sum|avg|average|min|max|median|stddev|variance)_/i;

/** Whether a column has the name of the table's own key: `ID` or `ORDER_ID` in `ORDERS`. */
export function isOwnKey(name: string, table: string): boolean {
  if (!isKeyName(name)) return false;
  const thing = name.replace(keyWord, '').replace(keyEnding, '').toLowerCase();
  if (thing === '') return /^(?:id|key|pk|sk)$/i.test(name);
  const last =
    table
      .split(/[_. ]|(?<=[a-z])(?=[A-Z])/)
      .at(-1)
      ?.toLowerCase() ?? '';
  return [thing, `${thing}s`, `${thing}es`, thing.replace(/y$/, 'ies')].includes(last);
}

/** Whether the name of a column looks like a key. */
export function isKeyName(name: string): boolean {
  return (keyWord.test(name) || keyEnding.test(name)) && !resultName.test(name) && !rowNumber.test(name);
}

/** Whether the name of a column is the result of an aggregation, so that it is not a key. */
export function isResultName(name: string): boolean {
  return resultName.test(name);
}

/** Whether a column of this type can identify a row. Measured quantities, booleans and semi-structured data cannot. */
export function canIdentify(type: SqlType): boolean {
  if (type.name === 'NUMBER') return type.scale === 0;
  return !['FLOAT', 'BOOLEAN', 'VARIANT'].includes(type.name);
}

/**
 * Finds up to four columns whose values together identify a row on both sides. Null counts as a value. If several
 * sets of columns qualify, prefers in this order: all have names of keys; most rows exist on both sides; fewer
 * columns; the first. Undefined if no such columns have values on both sides.
 * @param ownKey the table's own key, which is used if it is unique
 */
export function findKey(search: KeySearch, ownKey: readonly string[] = []): readonly number[] | undefined {
  const { names, before, after } = search;
  const ownPlaces = ownKey.map((name) => names.indexOf(name));
  if (ownPlaces.length > 0 && !ownPlaces.includes(-1) && metRows(ownPlaces, before, after) !== undefined)
    return ownPlaces;
  const places = search.candidates.filter((place) => !isResultName(names[place] ?? ''));
  const others = places.filter((place) => !isNumbering(names[place] ?? '', place, search));
  return bestKey(others, search) ?? bestKey(places, search);
}

function bestKey(
  places: readonly number[],
  { names, before, after }: KeySearch,
): readonly number[] | undefined {
  const isLarge = before.length + after.length > manyRows;
  const most = Math.min(before.length, after.length);
  const rated: RatedKey[] = [];
  for (let length = 1; length <= (isLarge ? 2 : maxColumns); length += 1) {
    const tried =
      length === 1 ? places.map((place) => [place]) : combinationsOf(places.slice(0, maxCombined), length);
    for (const columns of tried) {
      const met = metRows(columns, before, after);
      const isNamed = columns.every((place) => isKeyName(names[place] ?? ''));
      if (met !== undefined && met > 0) rated.push({ columns, met, isNamed });
    }
    // More columns would not find more rows again. One column may be unique by chance, so two that are named like a key are tried.
    if (rated.some(({ met, isNamed }) => met === most && (isNamed || length > 1))) break;
  }
  const [best] = rated.toSorted(
    (a, b) => Number(b.isNamed) - Number(a.isNamed) || b.met - a.met || a.columns.length - b.columns.length,
  );
  return best?.columns;
}

/** Whether a column may only count the rows, from 0 or 1: then it finds the row at the same position, not the same row. */
function isNumbering(name: string, place: number, { before, after }: KeySearch): boolean {
  if (isKeyName(name) || before.length < 2) return false;
  return [before, after].every((rows) => {
    const values = new Set(rows.map((row) => Number((row[place] ?? '').replace('number:', ''))));
    const first = values.has(0) ? 0 : 1;
    return rows.every((_, index) => values.has(index + first));
  });
}

interface RatedKey {
  readonly columns: readonly number[];
  /** How many rows it finds on both sides. */
  readonly met: number;
  readonly isNamed: boolean;
}

/** The values of a row in some columns, joined to one text. */
export function keyOf(row: readonly string[], columns: readonly number[]): string {
  return JSON.stringify(columns.map((index) => row[index]));
}

/** How many rows are on both sides; undefined if the columns do not identify a row. */
function metRows(columns: readonly number[], before: KeyedRows, after: KeyedRows): number | undefined {
  const first = uniqueKeys(columns, before);
  if (first === undefined) return undefined;
  const second = uniqueKeys(columns, after);
  return second === undefined ? undefined : first.intersection(second).size;
}

/** The keys of all rows; undefined if a key occurs twice. */
export function uniqueKeys(columns: readonly number[], rows: KeyedRows): ReadonlySet<string> | undefined {
  const keys = new Set<string>();
  for (const row of rows) {
    const key = keyOf(row, columns);
    if (keys.has(key)) return undefined;
    keys.add(key);
  }
  return keys;
}

/** All combinations of so many places, in order. */
function combinationsOf(places: readonly number[], length: number): readonly (readonly number[])[] {
  if (length === 0) return [[]];
  return places.flatMap((first, index) =>
    combinationsOf(places.slice(index + 1), length - 1).map((rest) => [first, ...rest]),
  );
}
