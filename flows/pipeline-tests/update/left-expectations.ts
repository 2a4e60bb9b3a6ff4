import { numberOf } from '../../../lib/core/text/number-of.ts';
import { visibleText } from '../../../lib/core/text/visible-text.ts';
import type { PlannedTest } from '../files/planned-test.ts';
import type { ExpectedTable } from '../files/test-file.ts';
import type { Difference } from '../compare/test-result.ts';
import type { LeftChange } from './update-file.ts';

/** The reason why `--update` leaves all expectations of a test unchanged; undefined if it updates them. */
export function leftTest({ test }: PlannedTest, differences: readonly Difference[]): LeftChange | undefined {
  const reasons: Partial<Record<Difference['kind'], string>> = {
    outcome: 'its pipeline did not end as the test expects',
    refused: 'the engine refused a part of its pipeline',
    timeout: 'its pipeline took too long',
  };
  const [reason] = differences.flatMap(({ kind }) => reasons[kind] ?? []);
  const message = `--update left the test "${visibleText(test.name)}" unchanged, because ${reason}.`;
  return reason === undefined ? undefined : { ...placeOf(test.place), message };
}

/**
 * The false expectations of a test that `--update` never writes, because the pipeline may be wrong instead of the
 * test.
 */
export function leftParts(differences: readonly Difference[]): readonly LeftChange[] {
  return differences.flatMap((difference) => {
    const table = `"${visibleText(difference.table ?? '')}"`;
    const subjects: Partial<Record<Difference['kind'], string>> = {
      'missing-table': `the expected table ${table} in the test, because this table does not exist or cannot be read`,
      'present-table': `"absent" at the table ${table}, because this table exists`,
      ran: 'the list "ran" unchanged, because a component of it did not run',
      'not-ran': 'the list "not-ran" unchanged, because a component of it ran',
    };
    const subject = subjects[difference.kind];
    if (subject === undefined) return [];
    const message = `--update left ${subject}. Correct the pipeline, or the test by hand.`;
    return [{ ...placeOf(difference), message }];
  });
}

/** The reason why `--update` leaves the rows of a table unchanged. */
export function leftRows(
  { name: { text, place } }: ExpectedTable,
  facts: {
    readonly file: string | undefined;
    readonly count: number;
    readonly maxRows: number;
    /** Expected columns that the table lacks. */
    readonly missing: readonly string[];
  },
): LeftChange {
  const message = `--update left the rows of table "${visibleText(text)}" unchanged, because ${reasonOf(facts)}`;
  return { ...placeOf(place), message };
}

function reasonOf({ file, count, maxRows, missing }: Parameters<typeof leftRows>[1]): string {
  if (missing.length > 0) {
    const names = missing.map((name) => `"${visibleText(name)}"`).join(', ');
    const [columns, them] = missing.length === 1 ? ['column', 'it'] : ['columns', 'them'];
    return `the table has no ${columns} ${names}. Correct the pipeline, or remove ${them} from the expected rows, then run --update again.`;
  }
  if (file !== undefined)
    return `they are in the file "${visibleText(file)}", which --update does not write. Correct the file by hand, or write the rows into the test.`;
  return `the table has ${numberOf(count, 'row')}, and --update writes at most ${maxRows}. Expect "count", or let the test make fewer rows.`;
}

function placeOf({ file, line, column }: LeftChange | Difference | ExpectedTable['name']['place']) {
  return { file, line, column };
}
