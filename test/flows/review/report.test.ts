import { expect, test } from 'vitest';
import { reportOfReview, verdictLine } from '../../../flows/review/report.ts';
import type { ReviewReport } from '../../../flows/review/scope/review-request.ts';
import { finding } from '../../lib/github/findings.ts';

const review: ReviewReport = {
  outcome: 'passed',
  findings: [],
  reviewed: ['a.orch.yaml'],
  excluded: [],
  counts: { error: 0, warning: 0, notice: 0 },
  branch: 'main',
  commit: 'c'.repeat(40),
  source: 'local',
  scopeReason: 'all pipelines of the project',
  policyChanges: [],
  reviewedFrom: 'working-tree',
  suppressed: [],
  uncounted: 0,
  nextBaseline: [],
};
const notesOf = (more: Partial<ReviewReport>) => reportOfReview({ ...review, ...more }).notes;

test('a review without findings has none in its headline, and none that is new if the baseline has some', () => {
  expect(verdictLine(review)).toBe(
    '1 file reviewed (all pipelines of the project): no findings. The review passed.',
  );
  const known = { ...review, findings: [finding({ state: 'known' })] };
  expect(reportOfReview(known).headline).toMatch(/: no new findings\.$/);
  expect(verdictLine({ ...review, outcome: 'nothing-to-do', scopeReason: 'nothing is staged' })).toBe(
    'Nothing to review: nothing is staged.',
  );
});

test('the facts say what was reviewed, unless there was nothing to review', () => {
  expect(reportOfReview(review).facts).toEqual([
    ['branch', 'main'],
    ['commit', 'c'.repeat(12)],
    ['files', 'as they are on disk'],
    ['rules evaluated by', 'Millrace'],
  ]);
  expect(reportOfReview({ ...review, outcome: 'nothing-to-do' }).facts).toEqual([]);
});

test('a note says how many findings do not count, and why', () => {
  const [known, fixed] = [finding({ state: 'known' }), finding({ state: 'fixed' })];
  const base = { commit: 'b'.repeat(40), known: 1 };
  expect(notesOf({ findings: [known, known, known, fixed, fixed], base, uncounted: 2 })).toEqual([
    '2 findings are in the baseline and do not count.',
    '1 finding is also in the base and does not count.',
    '2 findings of the baseline are fixed. `millrace review --update-baseline` removes them from the baseline.',
    '2 findings may become more without notice, because the baseline has no counts for them. `millrace review --update-baseline` records the counts.',
  ]);
  const suppressed = { ...finding(), reason: 'Later' };
  expect(
    notesOf({
      suppressed: [
        { ...suppressed, suppressedBy: 'settings' },
        { ...suppressed, suppressedBy: 'comment' },
        { ...suppressed, suppressedBy: 'comment' },
      ],
    }),
  ).toEqual([
    '1 finding is suppressed by `review.suppress` in millrace.yaml and does not count.',
    '2 findings are suppressed by a comment in a pipeline and do not count.',
  ]);
});

test('a note names the files whose type is not evaluated, ten at most', () => {
  const excluded = Array.from({ length: 12 }, (_, index) => `${index}.txt`);
  expect(notesOf({ excluded: ['a.txt'] })).toEqual([
    'Not evaluated, because of the type of the file: a.txt.',
  ]);
  expect(notesOf({ excluded })[0]).toMatch(/: 0\.txt, .*, 9\.txt and 2 more\.$/);
});
