/** A table that a run wrote. */
export interface WrittenTable {
  /** As a test names it. */
  readonly name: string;
  readonly isEmpty: boolean;
  /** No component wrote a row into it. */
  readonly isUnchanged: boolean;
}

/** How the example rows of the tables differ. */
export interface RowChoice {
  /** The second rows have other values in each table, so that some find no row in another table. */
  readonly isApart: boolean;
  /** Tables that the pipeline also writes have no rows before. */
  readonly hasEmptyTargets: boolean;
  /** A list has one item: two items of a row would become two rows with one key, which a MERGE refuses. */
  readonly hasSingleItems: boolean;
}

const first: RowChoice = { isApart: false, hasEmptyTargets: false, hasSingleItems: false };

const choices: readonly Partial<RowChoice>[] = [
  {},
  { isApart: true },
  { hasEmptyTargets: true },
  { isApart: true, hasEmptyTargets: true },
];

/** Which example rows are tried, until the pipeline leaves rows in the tables that it writes. */
export interface RowTrials {
  current: RowChoice;
  best: RowChoice;
  /** How many tables get no rows with the best choice. */
  fewest: number;
  tried: number;
  isDecided: boolean;
  /** The tables that the pipeline writes, as the test names them. */
  written: ReadonlySet<string>;
}

export function firstTrial(): RowTrials {
  return { current: first, best: first, fewest: Infinity, tried: 1, isDecided: false, written: new Set() };
}

/**
 * Notes which tables got no rows in a run, and chooses the rows of the next run. False if the rows of the last run are the
 * best ones, or because the pipeline does not succeed with any: then only single items are tried.
 * @param written the tables that the pipeline wrote; undefined where it did not succeed
 */
export function tryOtherRows(trials: RowTrials, written: readonly WrittenTable[] | undefined): boolean {
  if (trials.isDecided) return false;
  const { hasSingleItems } = trials.current;
  if (written === undefined && trials.fewest === Infinity) {
    trials.current = { ...first, hasSingleItems: true };
    return !hasSingleItems;
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
  trials.current = next === undefined ? trials.best : { ...first, ...next, hasSingleItems };
  return trials.current !== last;
}
