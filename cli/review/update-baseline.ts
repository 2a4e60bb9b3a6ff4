import { type BaselineEntry, writeBaseline } from '../../flows/findings/baseline.ts';
import { countFindings } from '../../flows/review/conclude/count-findings.ts';
import { decide } from '../../flows/review/conclude/gate.ts';
import type { ReviewReport, ReviewRequest } from '../../flows/review/scope/review-request.ts';
import { numberOf } from '../../lib/core/text/number-of.ts';
import { findingLines } from '../../lib/report/terminal.ts';
import type { Session } from '../kit/session.ts';
import { writeFileAtomically } from '../kit/write-file-atomically.ts';

/**
 * Records the findings as the baseline. Rules that could not be evaluated are listed, and make the command fail, as
 * in a review.
 */
export async function updateBaseline(
  { output }: Session,
  request: ReviewRequest,
  { nextBaseline, findings }: ReviewReport,
  { fixText, dryRun }: { readonly fixText: readonly string[]; readonly dryRun: boolean },
): Promise<'passed' | 'failed'> {
  const { baseline = '' } = request;
  if (!dryRun) await recordBaseline(request, nextBaseline);
  const notRecorded = findings.filter(({ errorType }) => errorType !== undefined);
  const outcome = decide(countFindings(notRecorded), request.failOn);
  const recorded = nextBaseline.length;
  const count = numberOf(recorded, 'finding');
  output.result({ outcome, baseline, recorded, dryRun, notRecorded }, [
    ...fixText,
    ...findingLines(notRecorded),
    ...(notRecorded.length === 0
      ? []
      : [
          `${numberOf(notRecorded.length, 'finding was', 'findings were')} not recorded: a baseline cannot include rules that could not be evaluated.`,
        ]),
    dryRun
      ? `Would record ${count} in ${baseline}.`
      : `Recorded ${count} in ${baseline}. Commit this file. From then on, only new findings count.`,
  ]);
  return outcome;
}

async function recordBaseline(
  { repository, baseline = '' }: ReviewRequest,
  entries: readonly BaselineEntry[],
): Promise<void> {
  await writeFileAtomically(`${repository.root}/${baseline}`, writeBaseline(entries));
}
