import type { Snapshot } from '../../lib/git/snapshot.ts';
import { decodeText } from '../../lib/core/files/decode-text.ts';
import { wholeFile } from '../../lib/core/outcomes/finding.ts';
import type { Clock } from '../../lib/core/ports/ports.ts';
import { type LoosenedRule, loosenedRules } from '../../lib/pipelines/loosened-rules.ts';
import { maxPipelineBytes } from '../../lib/pipelines/model/read-pipeline.ts';
import { folderOf, folderOfRules, rulesFileFor } from '../../lib/pipelines/rules-file.ts';
import { brokenOldRules } from './broken-old-rules.ts';
import type { RawFinding } from './evaluate/raw-finding.ts';
import type { PreparedReview } from './evaluate/prepare-review.ts';
import type { ReviewRequest } from './scope/review-request.ts';
import { startOfChange } from './scope/start-of-change.ts';
import { ignoreMissingHistory } from './scope/ignore-missing-history.ts';

/**
 * Reports changes of files that decide about the review. The platform uses the rules of the reviewed commit, so a
 * change that loosens a rule is reported. An emptied rules file is an error. A loosened rule is an error if a
 * pipeline of the same change violates the previous rule.
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
    message: 'This change alters a file that decides what a review finds. Review it with care.',
    source: 'millrace',
  }));
  for (const file of scope.policyChanges) {
    const folder = folderOfRules(file, request.configDir);
    if (folder !== undefined)
      rawFindings.push(...(await loosenedFindings(request, { snapshot, scope, file, folder, clock })));
  }
  return rawFindings;
}

/** The rules that a change of one rules file loosens for its folder. */
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
  const existing = new Set((await snapshot.list()).map(({ path }) => path));
  const now = rulesFileFor(folder, (path) => existing.has(path), configDir);
  const after = textOf((await snapshot.readFiles([now], maxPipelineBytes)).get(now));
  // A rules file that is missing or not text is reported as an evaluation error.
  if (before === undefined || after === undefined) return [];
  const { loosened, emptied } = loosenedRules(now, before, after);
  if (emptied) return [emptiedFinding(file, loosened)];
  const usesRules = (path: string) =>
    rulesFileFor(folderOf(path), (candidate) => existing.has(candidate), configDir) === now;
  const pipelines = scope.all.filter(
    (path) =>
      scope.touched?.has(path) === true &&
      (folder === '' || path.startsWith(`${folder}/`)) &&
      usesRules(path),
  );
  const sure = loosened.filter((loosenedRule) => loosenedRule.sure);
  const broken =
    sure.length === 0
      ? new Map<string, ReadonlySet<string>>()
      : await brokenOldRules(request, snapshot, { path: now, text: before, pipelines, clock });
  return loosened.map(({ rule, message, sure: isSure, range }) => ({
    rule: 'millrace/rules-loosened',
    ...severityAndMessage(message, isSure ? broken.get(rule) : undefined),
    file,
    // If the file was deleted, the one of a parent folder applies.
    ...(now === file ? range : wholeFile),
    subject: rule,
    source: 'millrace',
  }));
}

/** A change may loosen a rule, but not for the pipelines that it changes itself. */
function severityAndMessage(
  message: string,
  files: ReadonlySet<string> | undefined,
): Pick<RawFinding, 'severity' | 'message'> {
  if (files === undefined) return { severity: 'warning', message };
  const [first = ''] = files;
  const more = files.size === 1 ? '' : ` and ${files.size - 1} more`;
  const sentence = `The same change violates the previous rule in "${first}"${more}. Correct that, or change the rules in a separate pull request.`;
  return { severity: 'error', message: `${message} ${sentence}` };
}

function emptiedFinding(file: string, loosened: readonly LoosenedRule[]): RawFinding {
  const names = loosened.map(({ rule }) => rule).join(', ');
  return {
    rule: 'millrace/rules-loosened',
    severity: 'error',
    file,
    ...wholeFile,
    message: `This change leaves no rule enabled (before: ${names}), so the pipelines are not reviewed.`,
    source: 'millrace',
  };
}

/** The rules that applied to a folder at the merge base; `undefined` if a shallow clone lacks that history. */
async function rulesBefore(
  request: ReviewRequest,
  { commit }: Snapshot,
  folder: string,
): Promise<string | undefined> {
  const { repository, change, policyCommit, base, configDir } = request;
  const from = change?.from ?? policyCommit ?? base;
  if (from === undefined || commit === '') return undefined;
  const mergeBase = (await ignoreMissingHistory(startOfChange(request, from, commit))) ?? from;
  const tree = await ignoreMissingHistory(repository.listTree(mergeBase));
  const there = new Set(tree?.map(({ path }) => path));
  const file = rulesFileFor(folder, (path) => there.has(path), configDir);
  return textOf(await ignoreMissingHistory(repository.readFile(mergeBase, file)));
}

function textOf(content: Buffer | undefined): string | undefined {
  return content === undefined ? undefined : decodeText(content).text;
}
