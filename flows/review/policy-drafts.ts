import type { Snapshot } from '../../lib/git/snapshot.ts';
import { wholeFile } from '../../lib/core/finding.ts';
import { type LoosenedRule, loosenedRules } from '../../lib/pipelines/loosened-rules.ts';
import { mostBytes } from '../../lib/pipelines/read-pipeline.ts';
import { folderOfRules, rulesFileFor } from '../../lib/pipelines/rules-file.ts';
import type { Draft } from './draft.ts';
import type { PreparedReview } from './prepare-review.ts';
import type { ReviewRequest } from './review-request.ts';
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
  const drafts = scope.policyChanges.map((file): Draft => ({
    rule: 'millrace/policy-changed',
    severity: 'notice',
    file,
    ...wholeFile,
    message: 'This file decides about the review, and this change alters it.',
    source: 'millrace',
  }));
  for (const file of scope.policyChanges) {
    const folder = folderOfRules(file, request.configDir);
    if (folder !== undefined) drafts.push(...(await loosenedDrafts(request, snapshot, file, folder)));
  }
  return drafts;
}

/** What a change of one rules file takes back for the folder that it is for. */
async function loosenedDrafts(
  request: ReviewRequest,
  snapshot: Snapshot,
  file: string,
  folder: string,
): Promise<readonly Draft[]> {
  const { configDir } = request;
  const before = await rulesBefore(request, snapshot, folder);
  const there = new Set((await snapshot.list()).map(({ path }) => path));
  const now = rulesFileFor(folder, (path) => there.has(path), configDir);
  const after = (await snapshot.readFiles([now], mostBytes)).get(now)?.toString('utf8');
  // Rules that cannot be found are an error of evaluation.
  if (before === undefined || after === undefined) return [];
  const { loosened, emptied } = loosenedRules(now, before, after);
  if (emptied) return [emptiedDraft(file, loosened)];
  return loosened.map(({ rule, message, range }) => ({
    rule: 'millrace/rules-loosened',
    severity: 'warning',
    file,
    // Where the file is gone, that of a folder above holds.
    ...(now === file ? range : wholeFile),
    subject: rule,
    message,
    source: 'millrace',
  }));
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

/** The rules that held for a folder where the change began; nothing where history does not reach so far. */
async function rulesBefore(
  { repository, change, policyCommit, base, configDir }: ReviewRequest,
  { commit }: Snapshot,
  folder: string,
): Promise<string | undefined> {
  const from = change?.from ?? policyCommit ?? base;
  if (from === undefined || commit === '') return undefined;
  const began = (await unlessUnknown(repository.mergeBase(from, commit))) ?? from;
  const tree = await unlessUnknown(repository.listTree(began));
  const there = new Set(tree?.map(({ path }) => path));
  const file = rulesFileFor(folder, (path) => there.has(path), configDir);
  return (await unlessUnknown(repository.readFile(began, file)))?.toString('utf8');
}
