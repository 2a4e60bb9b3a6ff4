import { closestWord, comparisonBudget } from '../../lib/core/text/closest-word.ts';
import { didYouMean, onlyLooksLike } from '../../lib/core/text/look-alike.ts';
import { itemsOfPart, type LongWork } from '../../lib/core/ports/long-work.ts';
import { visibleText } from '../../lib/core/text/visible-text.ts';
import { problemAt } from './file-problem.ts';
import type { WrittenRow, WrittenTable } from './written-rows.ts';

/**
 * Finds misspelt column names. Throws FileProblems in three cases: (1) a row has a column that is not in `columns`,
 * and lacks a column of `columns` whose name is similar; (2) a column occurs only in one row, and that row lacks a
 * column with a similar name, which the other rows have; (3) the first line of a CSV file has none of the columns in
 * `columns`.
 */
export function* checkSpelling(table: WrittenTable): LongWork<void> {
  yield* checkDeclared(table);
  yield* checkRareColumns(table);
}

function* checkDeclared({ name: { place }, columns, content }: WrittenTable): LongWork<void> {
  const { rows } = content;
  const declared = columns.map(({ name }) => name);
  if (declared.length === 0) return;
  const lowerNames = new Set(declared.map((name) => name.toLowerCase()));
  const { isUntyped } = content;
  if (
    isUntyped &&
    content.columns.length > 0 &&
    !content.columns.some((name) => lowerNames.has(name.toLowerCase()))
  ) {
    const header = content.columns.map((name) => `"${visibleText(name)}"`).join(', ');
    const message = `the first line of the CSV file must contain the names of its columns, but none of ${header} is in \`columns\``;
    const [alike = ''] = content.columns.flatMap((name) => {
      const other = declared.find((candidate) => onlyLooksLike(candidate, name));
      return other === undefined ? [] : [`; ${didYouMean(name, other)}`];
    });
    throw problemAt(place, message + alike);
  }
  for (const [index, row] of rows.entries()) {
    if (index % itemsOfPart === 0) yield;
    const open = declared.filter((name) => !row.cells.has(name));
    for (const name of row.cells.keys()) {
      const meant = declared.includes(name) ? undefined : closestWord(name, open);
      if (meant === undefined || meant.toLowerCase() === name.toLowerCase()) continue;
      const message = `the column "${name}" is not in \`columns\`; ${didYouMean(name, meant)}`;
      throw problemAt(row.placeOf(name), message);
    }
  }
}

/** If a row has more columns than this that no other row has, they are intended. */
const maxRare = 100;

/** Does nothing for a CSV or Parquet file, where every row has every column. */
function* checkRareColumns({ columns, content }: WrittenTable): LongWork<void> {
  const { rows, isUntyped, types } = content;
  if (isUntyped || types !== undefined || rows.length < 2) return;
  const uses = new Map<string, { count: number; readonly row: WrittenRow }>();
  for (const [index, row] of rows.entries()) {
    if (index % itemsOfPart === 0) yield;
    for (const name of row.cells.keys()) {
      const use = uses.get(name);
      if (use === undefined) uses.set(name, { count: 1, row });
      else use.count += 1;
    }
  }
  const declared = new Set(columns.map(({ name }) => name));
  // If there are only two rows, the first one counts as right.
  const others =
    rows.length === 2
      ? [...(rows[0]?.cells.keys() ?? [])]
      : [...uses].flatMap(([name, { count }]) => (count > 1 ? [name] : []));
  const rare = [...uses].filter(
    ([name, { count }]) => count === 1 && !declared.has(name) && !others.includes(name),
  );
  const budget = comparisonBudget();
  for (const [name, { row }] of rare.slice(0, maxRare)) {
    const open = others.filter(
      (other) => !row.cells.has(other) && withoutDigits(other) !== withoutDigits(name),
    );
    const meant = closestWord(name, open, budget);
    if (meant === undefined || meant.toLowerCase() === name.toLowerCase()) continue;
    // Another message says where they differ.
    if (onlyLooksLike(meant, name)) continue;
    const message = `the column "${visibleText(name)}" is in this row only, and the row has no column "${visibleText(meant)}"; ${didYouMean(name, meant)} If these are two different columns, add \`${visibleText(meant)}: null\` to the row`;
    throw problemAt(row.placeOf(name), message);
  }
}

/** Without digits, because `q1` and `q2` are different columns and not misspelt. */
function withoutDigits(name: string): string {
  return name.replaceAll(/\d/g, '');
}
