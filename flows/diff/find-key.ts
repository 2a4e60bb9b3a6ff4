/** The rows of one side: for each row, the keys of its compared values in the order of the columns. */
export type KeyedRows = readonly (readonly string[])[];

/** What `comparableOfValue` gives for null. */
const nullKey = 'null';

/** Pairs of more columns are not tried. */
const maxPairedColumns = 12;

const keyName = /(?:^|[_ ])(?:id|key|code|no|nr|number|sk|pk)$|[a-z](?:Id|Key|Code)$/i;

/**
 * The columns that identify a row on both sides: one column or two, whose values are unique and not null before and
 * after. Of several, those with which most rows meet again; then those that are all named like a key; then one column
 * rather than two; then the first. Undefined where no such columns have a value on both sides.
 * @param candidates places of the columns whose type can identify a row
 * @param wanted the table's own key, used where it is unique
 */
export function findKey(
  names: readonly string[],
  {
    before,
    after,
    candidates,
  }: { readonly before: KeyedRows; readonly after: KeyedRows; readonly candidates: readonly number[] },
  wanted: readonly string[] = [],
): readonly number[] | undefined {
  const own = wanted.map((name) => names.indexOf(name));
  if (own.length > 0 && !own.includes(-1) && metRows(own, before, after) !== undefined) return own;
  const tried = [...candidates.map((place) => [place]), ...pairsOf(candidates.slice(0, maxPairedColumns))];
  const rated = tried.flatMap((columns) => {
    const met = metRows(columns, before, after);
    if (met === undefined || met === 0) return [];
    const isNamed = columns.every((place) => keyName.test(names[place] ?? ''));
    return [{ columns, met, isNamed }];
  });
  const [best] = rated.toSorted(
    (a, b) => b.met - a.met || Number(b.isNamed) - Number(a.isNamed) || a.columns.length - b.columns.length,
  );
  return best?.columns;
}

/** The values of a row in some columns, as one text. */
export function keyOf(row: readonly string[], columns: readonly number[]): string {
  return JSON.stringify(columns.map((index) => row[index]));
}

/** How many rows are on both sides; undefined where the columns do not identify a row. */
function metRows(columns: readonly number[], before: KeyedRows, after: KeyedRows): number | undefined {
  const [first, second] = [uniqueKeys(columns, before), uniqueKeys(columns, after)];
  if (first === undefined || second === undefined) return undefined;
  return first.intersection(second).size;
}

function uniqueKeys(columns: readonly number[], rows: KeyedRows): ReadonlySet<string> | undefined {
  const keys = new Set<string>();
  for (const row of rows) {
    if (columns.some((index) => row[index] === nullKey)) return undefined;
    const key = keyOf(row, columns);
    if (keys.has(key)) return undefined;
    keys.add(key);
  }
  return keys;
}

function pairsOf(places: readonly number[]): readonly (readonly number[])[] {
  return places.flatMap((first, index) => places.slice(index + 1).map((second) => [first, second]));
}
