/** A table that a run wrote. */
export interface WrittenTable {
  /** As a test names it. */
  readonly name: string;
  readonly isEmpty: boolean;
  /** No component wrote a row into it. */
  readonly isUnchanged: boolean;
}

/** How the example rows of the tables differ from each other. */
export interface RowChoice {
  /** The second rows have other values in each table, so that some find no row in another table. */
  readonly isApart: boolean;
  /** Tables that the pipeline also writes have no rows before. */
  readonly hasEmptyTargets: boolean;
  /** A list has one item: two items of a row would become two rows with one key, which a MERGE refuses. */
  readonly hasSingleItems: boolean;
  /** A table has one row: a subquery of SQL may give one row only. */
  readonly hasSingleRows: boolean;
}

const first: RowChoice = {
  isApart: false,
  hasEmptyTargets: false,
  hasSingleItems: false,
  hasSingleRows: false,
};

/** Rows with which a pipeline may succeed that fails with the first ones. */
const others: readonly Partial<RowChoice>[] = [{ hasSingleItems: true }, { hasSingleRows: true }];

const choices: readonly Partial<RowChoice>[] = [
  {},
  { isApart: true },
  { hasEmptyTargets: true },
  { isApart: true, hasEmptyTargets: true },
];

/** The variants of example rows that are tried, until the pipeline writes rows to its tables. */
export interface RowTrials {
  current: RowChoice;
  best: RowChoice;
  /** How many tables get no rows with the best choice. */
  fewest: number;
  tried: number;
  /** How many choices the pipeline did not succeed with, before the first one with which it did. */
  failed: number;
  isDecided: boolean;
  /** The tables that the pipeline writes, as the test names them. */
  written: ReadonlySet<string>;
}

export function firstTrial(): RowTrials {
  return {
    current: first,
    best: first,
    fewest: Infinity,
    tried: 1,
    failed: 0,
    isDecided: false,
    written: new Set(),
  };
}

/**
 * Records which tables got no rows in a run, and chooses the rows of the next run. Returns false if the rows of the
 * last run are the best, or if the pipeline succeeds with no rows; then only single items and single rows are
 * tried.
 * @param written the tables that the pipeline wrote; undefined if it did not succeed
 */
export function tryOtherRows(trials: RowTrials, written: readonly WrittenTable[] | undefined): boolean {
  if (trials.isDecided) return false;
  const { hasSingleItems, hasSingleRows } = trials.current;
  if (written === undefined && trials.fewest === Infinity) {
    const other = others[trials.failed];
    trials.failed += 1;
    trials.current = { ...first, ...(other ?? others[0]) };
    return other !== undefined;
  }
  if (written !== undefined) {
    trials.written = new Set(written.map(({ name }) => name));
    const without = written.filter(({ isEmpty, isUnchanged }) => isEmpty || isUnchanged).length;
    if (without < trials.fewest) {
      trials.fewest = without;
      trials.best = trials.current;
    }
  }
  const next = trials.fewest === 0 ? undefined : choices[trials.tried];
  trials.tried += 1;
  trials.isDecided = next === undefined;
  const last = trials.current;
  trials.current = next === undefined ? trials.best : { ...first, ...next, hasSingleItems, hasSingleRows };
  return trials.current !== last;
}
