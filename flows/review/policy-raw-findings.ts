import type { Snapshot } from '../../lib/git/snapshot.ts';
import { wholeFile } from '../../lib/core/finding.ts';
import type { Clock } from '../../lib/core/ports.ts';
import { type LoosenedRule, loosenedRules } from '../../lib/pipelines/loosened-rules.ts';
import { mostBytes } from '../../lib/pipelines/read-pipeline.ts';
import { folderOf, folderOfRules, rulesFileFor } from '../../lib/pipelines/rules-file.ts';
import { brokenOldRules } from './broken-old-rules.ts';
import type { RawFinding } from './raw-finding.ts';
import type { PreparedReview } from './prepare-review.ts';
import type { ReviewRequest } from './review-request.ts';
import { ignoreMissingHistory } from './ignore-missing-history.ts';

/**
 * What a change does to what decides about it. The rules are those of the change, because the platform reads them at
 * the reviewed commit; so what it takes back of them is said. A rules file that it empties fails, and so does a rule that
 * it loosens while a pipeline of the same change breaks that rule as it was.
 */
export async function policyRawFindings(
  request: ReviewRequest,
  { snapshot, scope }: Pick<PreparedReview, 'snapshot' | 'scope'>,
  clock: Clock,
): Promise<readonly RawFinding[]> {
  const rawFindings = scope.policyChanges.map((file): RawFinding => ({
    rule: 'millrace/policy-changed',
    severity: 'notice',
    file,
    ...wholeFile,
    message: 'This file decides about the review, and this change alters it.',
    source: 'millrace',
  }));
  for (const file of scope.policyChanges) {
    const folder = folderOfRules(file, request.configDir);
    if (folder !== undefined)
      rawFindings.push(...(await loosenedFindings(request, { snapshot, scope, file, folder, clock })));
  }
  return rawFindings;
}

/** What a change of one rules file takes back for the folder that it is for. */
async function loosenedFindings(
  request: ReviewRequest,
  {
    snapshot,
    scope,
    file,
    folder,
    clock,
  }: Pick<PreparedReview, 'snapshot' | 'scope'> & {
    readonly file: string;
    readonly folder: string;
    readonly clock: Clock;
  },
): Promise<readonly RawFinding[]> {
  const { configDir } = request;
  const before = await rulesBefore(request, snapshot, folder);
  const there = new Set((await snapshot.list()).map(({ path }) => path));
  const now = rulesFileFor(folder, (path) => there.has(path), configDir);
  const after = (await snapshot.readFiles([now], mostBytes)).get(now)?.toString('utf8');
  // Rules that cannot be found are an error of evaluation.
  if (before === undefined || after === undefined) return [];
  const { loosened, emptied } = loosenedRules(now, before, after);
  if (emptied) return [emptiedFinding(file, loosened)];
  const isFor = (path: string) => rulesFileFor(folderOf(path), (one) => there.has(one), configDir) === now;
  const pipelines = scope.all.filter(
    (path) =>
      scope.touched?.has(path) === true && (folder === '' || path.startsWith(`${folder}/`)) && isFor(path),
  );
  const sure = loosened.filter((one) => one.sure);
  const broken =
    sure.length === 0
      ? new Map<string, ReadonlySet<string>>()
      : await brokenOldRules(request, snapshot, { path: now, text: before, pipelines, clock });
  return loosened.map(({ rule, message, sure: isSure, range }) => ({
    rule: 'millrace/rules-loosened',
    ...weigh(message, isSure ? broken.get(rule) : undefined),
    file,
    // Where the file is gone, that of a folder above holds.
    ...(now === file ? range : wholeFile),
    subject: rule,
    source: 'millrace',
  }));
}

/** A change may loosen a rule, but not for what it brings itself. */
function weigh(
  message: string,
  files: ReadonlySet<string> | undefined,
): Pick<RawFinding, 'severity' | 'message'> {
  if (files === undefined) return { severity: 'warning', message };
  const [first = ''] = files;
  const more = files.size === 1 ? '' : ` and ${files.size - 1} more`;
  const sentence = `The same change breaks the rule as it was, in "${first}"${more}. Correct that, or change the rules in a pull request of their own.`;
  return { severity: 'error', message: `${message} ${sentence}` };
}

function emptiedFinding(file: string, loosened: readonly LoosenedRule[]): RawFinding {
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
  const mergeBase = (await ignoreMissingHistory(repository.mergeBase(from, commit))) ?? from;
  const tree = await ignoreMissingHistory(repository.listTree(mergeBase));
  const there = new Set(tree?.map(({ path }) => path));
  const file = rulesFileFor(folder, (path) => there.has(path), configDir);
  return (await ignoreMissingHistory(repository.readFile(mergeBase, file)))?.toString('utf8');
}
