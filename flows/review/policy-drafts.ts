import type { Snapshot } from '../../git/snapshot.ts';
import { wholeFile } from '../../model/finding.ts';
import { type LoosenedRule, loosenedRules } from '../../pipelines/loosened-rules.ts';
import { mostBytes } from '../../pipelines/read-pipeline.ts';
import { rulesFilePath } from '../../pipelines/rules-file.ts';
import type { Draft } from './draft.ts';
import type { PreparedReview } from './prepare-review.ts';
import type { ReviewRequest } from './review-request.ts';
import { inRepository } from './review-scope.ts';
import { unlessUnknown } from './unless-unknown.ts';

/** Findings about a change, which a baseline cannot hold. */
export const policyRules: ReadonlySet<string> = new Set([
  'millrace/policy-changed',
  'millrace/rules-loosened',
]);

/**
 * What a change does to what decides about it. The rules are those of the change, because the platform reads them at
 * the reviewed commit; so what it takes back of them is said, and a rules file that it empties fails.
 */
export async function policyDrafts(
  request: ReviewRequest,
  { snapshot, scope }: Pick<PreparedReview, 'snapshot' | 'scope'>,
): Promise<readonly Draft[]> {
  const rulesFile = inRepository(request.directory, rulesFilePath(request.configDir));
  const changed = scope.policyChanges.map((file): Draft => ({
    rule: 'millrace/policy-changed',
    severity: 'notice',
    file,
    ...wholeFile,
    message: 'This file decides about the review, and this change alters it.',
    source: 'millrace',
  }));
  if (!scope.policyChanges.includes(rulesFile)) return changed;
  const before = await rulesBefore(request, snapshot, rulesFile);
  const after = (await snapshot.readFiles([rulesFile], mostBytes)).get(rulesFile)?.toString('utf8');
  // A rules file that is gone is an error of evaluation.
  if (before === undefined || after === undefined) return changed;
  const { loosened, emptied } = loosenedRules(rulesFile, before, after);
  if (emptied) return [...changed, emptiedDraft(rulesFile, loosened)];
  return [
    ...changed,
    ...loosened.map(({ rule, message, range }): Draft => ({
      rule: 'millrace/rules-loosened',
      severity: 'warning',
      file: rulesFile,
      ...range,
      subject: rule,
      message,
      source: 'millrace',
    })),
  ];
}

function emptiedDraft(file: string, loosened: readonly LoosenedRule[]): Draft {
  const names = loosened.map(({ rule }) => rule).join(', ');
  return {
    rule: 'millrace/rules-loosened',
    severity: 'error',
    file,
    ...wholeFile,
    message: `This change leaves no rule enabled (before: ${names}), so nothing of the pipelines is reviewed.`,
    source: 'millrace',
  };
}

/** The rules file where the change began; nothing where history does not reach so far. */
async function rulesBefore(
  { repository, change, policyCommit, base }: ReviewRequest,
  { commit }: Snapshot,
  rulesFile: string,
): Promise<string | undefined> {
  const from = change?.from ?? policyCommit ?? base;
  if (from === undefined || commit === '') return undefined;
  const began = (await unlessUnknown(repository.mergeBase(from, commit))) ?? from;
  return (await unlessUnknown(repository.readFile(began, rulesFile)))?.toString('utf8');
}
