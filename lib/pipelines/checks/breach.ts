import { type Edit, type Range, wholeFile } from '../../core/outcomes/finding.ts';

/** A violation that one of Millrace's own checks found. */
export interface CheckBreach {
  readonly check: string;
  /** Relative to the repository. */
  readonly file: string;
  readonly component?: string;
  /** Distinguishes it from other results of the same check at the same component. */
  readonly subject: string;
  readonly message: string;
  readonly range: Range;
  readonly fix?: Edit;
  /** Why there is no automatic fix. */
  readonly unfixable?: string;
  /** Says only what the check could not know: a notice, whatever the setting of the check. */
  readonly isNotice?: true;
}

/**
 * The maximum number of violations of one check in one file. A file of the maximum size could have a million, and
 * each takes memory and a place in the report.
 */
export const maxBreachesPerFile = 1000;

/** The steps of a check: its results, and `undefined` wherever it may pause. */
export type CheckSteps = Generator<CheckBreach | undefined, void, undefined>;

/** The first violations of one check in one file. If there are more, the last one says so. */
export function* firstBreaches(
  steps: Iterable<CheckBreach | undefined>,
): Generator<CheckBreach, void, undefined> {
  for (const breach of limited(steps)) if (breach !== undefined) yield breach;
}

/** Like `firstBreaches`, but keeps the pauses of the check. */
export function* limited(steps: Iterable<CheckBreach | undefined>): CheckSteps {
  let count = 0;
  for (const breach of steps) {
    if (breach === undefined) {
      yield undefined;
      continue;
    }
    count += 1;
    if (count > maxBreachesPerFile) {
      const { check, file } = breach;
      const message = `This file has more than ${maxBreachesPerFile} violations of this check. Only the first ${maxBreachesPerFile} are listed.`;
      yield { check, file, subject: 'more', message, range: wholeFile };
      return;
    }
    yield breach;
  }
}
