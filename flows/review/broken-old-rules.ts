import type { Clock } from '../../lib/core/ports.ts';
import type { Snapshot } from '../../lib/git/snapshot.ts';
import { evaluate } from '../../lib/pipelines/evaluate.ts';
import { prepareRules } from '../../lib/pipelines/prepare-rules.ts';
import { applySuppressions } from './apply-suppressions.ts';
import { compareWithBaseline } from './compare-baseline.ts';
import { type RawFinding, identify } from './raw-finding.ts';
import { localRawFindings } from './local-raw-findings.ts';
import { readOldFindings } from './read-old-findings.ts';
import { readPipelines } from './read-pipelines.ts';
import type { ReviewRequest } from './review-request.ts';

interface OldRules {
  /** Path and text of the rules file before the change. */
  readonly path: string;
  readonly text: string;
  /** The pipelines of the change to which the rules file applies. */
  readonly pipelines: readonly string[];
  readonly clock: Clock;
}

/**
 * Evaluates the rules as they were before a change on the pipelines of the change. Gives, by rule, the files with new
 * errors; known and suppressed findings are left out. These rules are always evaluated locally, even if the platform
 * evaluates those of the change.
 */
export async function brokenOldRules(
  request: ReviewRequest,
  snapshot: Snapshot,
  { path, text, pipelines, clock }: OldRules,
): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  if (pipelines.length === 0) return new Map();
  const rules = await prepareRules({ path, text });
  const rawFindings: RawFinding[] = [];
  for await (const document of readPipelines(snapshot, pipelines))
    rawFindings.push(...localRawFindings(document.path, evaluate(rules, document)));
  const errors = rawFindings.filter(
    ({ severity, errorType }) => severity === 'error' && errorType === undefined,
  );
  const { suppress = [], directory } = request;
  const { kept } = applySuppressions(identify(errors), {
    suppress,
    directory,
    configFile: '',
    isPresent: () => false,
    placeOf: () => undefined,
    now: clock.now(),
    complete: false,
    settingChanged: false,
  });
  const { entries, renamed } = await readOldFindings(request, snapshot);
  const { findings } = compareWithBaseline(entries, {
    findings: kept,
    wasReviewed: () => false,
    covers: () => false,
    renamed,
    suppressed: new Set(),
  });
  const broken = Map.groupBy(
    findings.filter(({ state }) => state === 'new'),
    ({ rule }) => rule,
  );
  return new Map(Array.from(broken, ([rule, own]) => [rule, new Set(own.map(({ file }) => file))]));
}
