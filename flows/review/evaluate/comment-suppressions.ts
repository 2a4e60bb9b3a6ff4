import { meantSentence } from '../../../lib/core/text/did-you-mean.ts';
import { visibleText } from '../../../lib/core/text/visible-text.ts';
import { reasonForm, reasonRule } from '../../../lib/core/text/reason.ts';
import type { Finding, Range } from '../../../lib/core/outcomes/finding.ts';
import type { Snapshot } from '../../../lib/git/snapshot.ts';
import { kindOf } from '../../../lib/pipelines/model/pipeline-kind.ts';
import { decodePipeline, maxPipelineBytes } from '../../../lib/pipelines/model/read-pipeline.ts';
import {
  readSuppressionComments,
  type SuppressedRule,
  type SuppressionComment,
  suppressionWord,
} from '../../../lib/pipelines/model/suppression-comments.ts';
import { type RawFinding, isWholeFile } from './raw-finding.ts';
import { readPipelines } from '../scope/read-pipelines.ts';
import type { ReviewRequest } from '../scope/review-request.ts';
import { helpedRules } from './rule-help.ts';
import type { RuleCoverage } from './rule-coverage.ts';

/** The suppression comments of each pipeline, by file. A file without such comments is not in the map. */
export type CommentsByFile = ReadonlyMap<string, readonly SuppressionComment[]>;

/** One rule that a comment suppresses. */
export interface CommentSuppression {
  readonly file: string;
  readonly rule: SuppressedRule;
  readonly reason: string;
  readonly applies: boolean;
  readonly matches: (finding: Finding) => boolean;
  /** What to report about it. `used`: whether it matches a finding. */
  notice(used: boolean): RawFinding | undefined;
}

export interface CommentSetting extends Pick<
  ReviewRequest,
  'repository' | 'policyCommit' | 'suppressionComments'
> {
  /** The comments of the reviewed pipelines. */
  readonly comments: CommentsByFile;
  readonly covers: RuleCoverage;
  readonly complete: boolean;
  readonly touched: ReadonlySet<string> | undefined;
  /** Pipelines that the change removed or renamed, with their new paths. */
  readonly removed: ReadonlyMap<string, string | undefined>;
}

/**
 * The suppressions in comments, by file. If a review uses the settings of a base commit, a comment that the change
 * adds only applies if `millrace.yaml` of the base allows it; otherwise a change could suppress its own findings.
 */
export async function commentSuppressions(
  findings: readonly Finding[],
  snapshot: Snapshot,
  setting: CommentSetting,
): Promise<ReadonlyMap<string, readonly CommentSuppression[]>> {
  const others = await commentsElsewhere(findings, snapshot, setting);
  const baseComments = await commentsOfBase(new Map([...setting.comments, ...others]), setting);
  const open = (file: string, fileComments: readonly SuppressionComment[], reviewed: boolean) =>
    fileComments.flatMap((comment) => {
      const place = {
        file,
        comment,
        reviewed,
        isAdded: baseComments?.get(file)?.has(identityOf(comment)) === false,
      };
      return comment.rules.map((rule) => suppressionOf(rule, place, setting));
    });
  return new Map([
    ...Array.from(
      setting.comments,
      ([file, fileComments]) => [file, open(file, fileComments, true)] as const,
    ),
    ...Array.from(others, ([file, fileComments]) => [file, open(file, fileComments, false)] as const),
  ]);
}

/** The problems of comments that name no rule or give no reason. */
export function commentProblems(comments: CommentsByFile): readonly RawFinding[] {
  const form = `Write "# ${suppressionWord} rule: reason".`;
  return [...comments].flatMap(([file, fileComments]) =>
    fileComments.flatMap(({ rules, reason, range }) => {
      if (rules.length === 0) return [invalid(file, range, `The comment names no rule. ${form}`)];
      if (isReason(reason)) return [];
      const fault =
        reason === '' ? 'gives no reason' : `gives "${visibleText(reason)}" as its reason, but ${reasonRule}`;
      return [invalid(file, range, `The comment ${fault}, so it suppresses nothing. ${form}`)];
    }),
  );
}

interface CommentPlace {
  readonly file: string;
  readonly comment: SuppressionComment;
  /** Whether the file itself was reviewed, and not only the effect of the change on it. */
  readonly reviewed: boolean;
  readonly isAdded: boolean;
}

function suppressionOf(
  rule: SuppressedRule,
  { file, comment, reviewed, isAdded }: CommentPlace,
  { suppressionComments: allowed = 'base', covers, complete }: CommentSetting,
): CommentSuppression {
  const { target, reason } = comment;
  const id =
    [rule.name, `millrace/${rule.name}`].find((candidate) => helpedRules.includes(candidate)) ?? rule.name;
  const covered = reviewed && covers(id, file);
  // A review of a part may report a cycle in another of its files.
  const isJudged = covered && (complete || id !== 'millrace/call-cycle');
  const about = (kind: string, message: string): RawFinding => ({
    rule: `millrace/${kind}`,
    severity: 'notice',
    file,
    ...rule.range,
    subject: rule.name,
    message,
    source: 'millrace',
  });
  return {
    file,
    rule,
    reason,
    applies: isReason(reason) && allowed !== 'off' && (allowed === 'all' || !isAdded),
    matches: (finding) =>
      target !== undefined &&
      finding.rule === id &&
      ((target.line <= finding.line && finding.line <= target.endLine && !isWholeFile(finding)) ||
        target.components.some((name) => name === finding.component) ||
        (target.isFirst && isWholeFile(finding))),
    notice(used) {
      if (!reviewed || !isReason(reason)) return undefined;
      if (!used && !covered && !helpedRules.includes(id))
        return invalid(file, rule.range, unknownRule(rule.name), rule.name);
      if (!used && !isJudged) return undefined;
      if (!used)
        return about('suppression-useless', `The suppression of ${rule.name} matches no finding. Remove it.`);
      if (allowed === 'off')
        return about(
          'suppression-useless',
          `The suppression of ${rule.name} has no effect, because \`review.suppression-comments\` in millrace.yaml is off.`,
        );
      if (!isAdded) return undefined;
      if (allowed === 'all')
        return about('suppression-added', `This change suppresses ${rule.name} here: ${reason}`);
      return about(
        'suppression-added',
        `This change adds the suppression of ${rule.name}, so it has no effect on this change. To allow it, set \`review.suppression-comments: all\` in the millrace.yaml of the base.`,
      );
    },
  };
}

/** As in `millrace.yaml`. */
function isReason(text: string): boolean {
  return reasonForm.test(text);
}

function unknownRule(name: string): string {
  const short = helpedRules.map((id) => id.replace(/^millrace\//, ''));
  return `The rule "${name}" does not exist.${meantSentence(name.replace(/^millrace\//, ''), short)}`;
}

function invalid(file: string, range: Range, message: string, subject?: string): RawFinding {
  return {
    rule: 'millrace/suppression-invalid',
    severity: 'warning',
    file,
    ...range,
    ...(subject === undefined ? {} : { subject }),
    message,
    source: 'millrace',
  };
}

function identityOf({ rules, target }: SuppressionComment): string {
  return JSON.stringify([rules.map(({ name }) => name).toSorted(), target?.identity ?? null]);
}

/** Comments in pipelines that have findings, but were not reviewed: callers of a pipeline that the change removes. */
async function commentsElsewhere(
  findings: readonly Finding[],
  snapshot: Snapshot,
  { comments }: CommentSetting,
): Promise<CommentsByFile> {
  const files = new Set(findings.filter(({ errorType }) => errorType === undefined).map(({ file }) => file));
  const pipelines = [...files].filter((file) => kindOf(file) !== undefined && !comments.has(file));
  const byFile = new Map<string, readonly SuppressionComment[]>();
  for await (const document of readPipelines(snapshot, pipelines)) {
    const fileComments = readSuppressionComments(document);
    if (fileComments.length > 0) byFile.set(document.path, fileComments);
  }
  return byFile;
}

/**
 * The comments that suppress something in the base, by the path of today; undefined if the review has no base. A comment
 * that gets its reason from the change is one that the change adds.
 */
async function commentsOfBase(
  comments: CommentsByFile,
  { repository, policyCommit, touched, removed }: CommentSetting,
): Promise<ReadonlyMap<string, ReadonlySet<string>> | undefined> {
  if (policyCommit === undefined) return undefined;
  const oldPaths = new Map(Array.from(removed, ([old, next]) => [next, old]));
  const byFile = new Map<string, ReadonlySet<string>>();
  for (const file of comments.keys()) {
    if (touched?.has(file) === false) continue;
    const old = oldPaths.get(file) ?? file;
    const content = await repository.readFile(policyCommit, old);
    const tooLarge = content === undefined || content.length > maxPipelineBytes;
    const fileComments = tooLarge ? [] : readSuppressionComments(decodePipeline(old, content));
    byFile.set(file, new Set(fileComments.filter(({ reason }) => isReason(reason)).map(identityOf)));
  }
  return byFile;
}
