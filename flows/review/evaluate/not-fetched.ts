import { wholeFile } from '../../../lib/core/outcomes/finding.ts';
import { numberOf } from '../../../lib/core/text/number-of.ts';
import { visibleText } from '../../../lib/core/text/visible-text.ts';
import type { Snapshot } from '../../../lib/git/snapshot.ts';
import { isAbsent } from '../../../lib/git/objects/tree-entry.ts';
import type { RawFinding } from './raw-finding.ts';
import type { ReviewRequest } from '../scope/review-request.ts';
import type { ReviewScope } from '../scope/review-scope.ts';

/**
 * The scope without pipelines whose content a partial clone has not fetched; its reasons say how many these are.
 * Millrace never fetches them, because reading contacts no remote.
 */
export async function fetchedScope(
  scope: ReviewScope,
  { directory, scope: asked }: Pick<ReviewRequest, 'directory' | 'scope'>,
  snapshot: Snapshot,
): Promise<ReviewScope> {
  const absent = new Set((await snapshot.list(directory)).filter(isAbsent).map(({ path }) => path));
  const notFetched = scope.all.filter((path) => absent.has(path));
  if (notFetched.length === 0) return scope;
  const paths = scope.paths.filter((path) => !absent.has(path));
  const lack = `has not fetched the content of ${numberOf(notFetched.length, 'pipeline')}`;
  const isWhole = scope.complete;
  return {
    ...scope,
    paths,
    complete: false,
    notFetched,
    notReviewed: {
      paths: scope.paths.filter((path) => absent.has(path)),
      // A change or a user that names a pipeline needs its review; a review of everything is one of what the clone has.
      isNeeded:
        !isWhole || (asked === 'changed' && scope.from !== undefined && scope.policyChanges.length > 0),
    },
    reason: isWhole
      ? `${scope.reason} that this partial clone has; it ${lack}`
      : `${scope.reason}; this partial clone ${lack}`,
    emptyReason:
      isWhole && paths.length === 0
        ? `this partial clone ${lack}`
        : `${scope.emptyReason}; this partial clone ${lack}`,
  };
}

const fetchHint =
  'Millrace never fetches files itself. Fetch a folder with `git sparse-checkout add <folder>`, all files with `git sparse-checkout disable`, or one file with `git cat-file -e :<path>`. Then review again.';

/**
 * The findings about files whose content the review would have needed, and about pipelines that it left out. Call
 * it after the checks, when the snapshot knows what they tried to read.
 */
export async function notFetchedFindings(
  { notReviewed }: ReviewScope,
  snapshot: Snapshot,
): Promise<readonly RawFinding[]> {
  const { paths = [], isNeeded = false } = notReviewed ?? {};
  const tried = (await snapshot.list()).filter((entry) => isAbsent(entry) && snapshot.unread.has(entry.path));
  const needed = new Set([...tried.map(({ path }) => path), ...(isNeeded ? paths : [])]);
  return [
    ...findingOf(
      'error',
      [...needed],
      (count) =>
        `This review needs the content of ${numberOf(count, 'file')}, which this partial clone has not fetched:`,
    ),
    ...findingOf(
      'warning',
      paths.filter((path) => !needed.has(path)),
      (count) =>
        `${numberOf(count, 'pipeline was', 'pipelines were')} not reviewed, because this partial clone has not fetched the content:`,
    ),
  ];
}

const maxNames = 3;

function findingOf(
  severity: 'error' | 'warning',
  paths: readonly string[],
  beginning: (count: number) => string,
): readonly RawFinding[] {
  const [file] = paths;
  if (file === undefined) return [];
  const shown = paths.slice(0, maxNames).map((path) => `"${visibleText(path)}"`);
  const more = paths.length > maxNames ? ` and ${paths.length - maxNames} more` : '';
  return [
    {
      rule: 'millrace/not-fetched',
      severity,
      file,
      ...wholeFile,
      message: `${beginning(paths.length)} ${shown.join(', ')}${more}. ${fetchHint}`,
      errorType: 'millrace/not-fetched',
      source: 'millrace',
    },
  ];
}
