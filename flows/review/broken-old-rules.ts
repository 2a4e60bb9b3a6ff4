import type { Clock } from '../../lib/core/ports/ports.ts';
import type { Snapshot } from '../../lib/git/snapshot.ts';
import { evaluate } from '../../lib/pipelines/evaluate.ts';
import { prepareRules } from '../../lib/pipelines/prepare-rules.ts';
import {
  readSuppressionComments,
  type SuppressionComment,
} from '../../lib/pipelines/model/suppression-comments.ts';
import type { RuleResult } from '../../lib/pipelines/rule-result.ts';
import { applySuppressions } from './conclude/apply-suppressions.ts';
import { commentSuppressions } from './evaluate/comment-suppressions.ts';
import { compareWithBaseline } from './conclude/compare-baseline.ts';
import { type RawFinding, identify } from './evaluate/raw-finding.ts';
import { localRawFindings } from './evaluate/local-raw-findings.ts';
import { adjustFindings, pathRules } from './evaluate/path-rules.ts';
import { readOldFindings } from './conclude/read-old-findings.ts';
import { readPipelines } from './scope/read-pipelines.ts';
import type { ReviewRequest } from './scope/review-request.ts';

interface OldRules {
  /** Path and text of the rules file before the change. */
  readonly path: string;
  readonly text: string;
  /** The pipelines of the change to which the rules file applies. */
  readonly pipelines: readonly string[];
  readonly clock: Clock;
}

/**
 * Evaluates the rules as they were before a change on the pipelines of the change. Returns for each rule the files
 * with new errors, without known and suppressed findings. These rules are always evaluated locally, even if the
 * platform evaluates the rules of the change.
 */
export async function brokenOldRules(
  request: ReviewRequest,
  snapshot: Snapshot,
  { path, text, pipelines, clock }: OldRules,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  if (pipelines.length === 0) return new Map();
  const rules = await prepareRules({ path, text });
  const rawFindings: RawFinding[] = [];
  const paths = pathRules(request);
  const limits = new Map<string, readonly RuleResult[]>();
  const comments = new Map<string, readonly SuppressionComment[]>();
  for await (const document of readPipelines(snapshot, pipelines)) {
    rawFindings.push(...localRawFindings(document.path, evaluate(rules, document)));
    comments.set(document.path, readSuppressionComments(document));
    limits.set(document.path, paths.evaluateLimits(rules, document));
  }
  const adjusted = adjustFindings(rawFindings, paths, limits);
  const errors = adjusted.rawFindings.filter(
    ({ severity, errorType }) => severity === 'error' && errorType === undefined,
  );
  const { suppress = [], directory } = request;
  const identified = identify(errors);
  const inComments = {
    comments,
    covers: () => false,
    complete: false,
    touched: undefined,
    removed: new Map(),
  };
  const { kept } = applySuppressions(identified, {
    suppress,
    directory,
    configFile: '',
    isPresent: () => false,
    placeOf: () => undefined,
    now: clock.now(),
    complete: false,
    settingChanged: false,
    comments: await commentSuppressions(identified, snapshot, { ...request, ...inComments }),
  });
  const { findings } = compareWithBaseline(await readOldFindings(request, snapshot), {
    findings: kept,
    wasReviewed: () => false,
    covers: () => false,
    suppressed: new Set(),
  });
  const broken = Map.groupBy(
    findings.filter(({ state }) => state === 'new'),
    ({ rule }) => rule,
  );
  return new Map(Array.from(broken, ([rule, ofRule]) => [rule, new Set(ofRule.map(({ file }) => file))]));
}
