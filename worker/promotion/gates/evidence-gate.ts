import {
  describeUnmet,
  type EvidenceResult,
  type RuleResult,
  unmetRules,
  verifyVersion,
} from '../../../flows/evidence/verify-version.ts';
import type { EvidenceRule } from '../../../lib/config/project/evidence-rules-schema.ts';
import { fitsAny } from '../../../lib/config/worker/effective-policy.ts';
import type { WorkerConfig } from '../../../lib/config/worker/read-worker-config.ts';
import { trustFor } from '../../../lib/config/worker/evidence-trust.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import type { PromotionRecord } from '../../records/promotion-record.ts';
import type { GitHubReads, Policy, Timing } from '../context/ports.ts';
import type { BlockingGate } from './blocking-gate.ts';
import { currentPolicy } from './current-policy.ts';
import { gitHubSource, treeOfCommit } from './evidence-source.ts';

/** The result of checking a promotion's evidence. */
export interface EvidenceCheck {
  /** Undefined if the promotion may continue. */
  readonly gate: BlockingGate | undefined;
  /** The event for the history: all rules are met, some only warn, or an operator passed it. */
  readonly what: 'evidence-verified' | 'evidence-missing' | 'evidence-passed';
  /** The same text means that nothing new was found. */
  readonly summary: string;
  readonly data: object;
}

interface EvidenceContext {
  readonly promotion: PromotionRecord;
  readonly ports: Pick<Policy, 'config'> & GitHubReads & Pick<Timing, 'clock'>;
}

/**
 * Verifies the evidence of a promotion, if the gates have rules for it; undefined if they have none. A required
 * rule that is not met blocks, unless an operator has let this commit and version through without evidence. If
 * GitHub cannot be read, no rule is met.
 */
export async function checkEvidence({
  promotion,
  ports,
}: EvidenceContext): Promise<EvidenceCheck | undefined> {
  const rules = currentPolicy(promotion.task, ports.config)?.gates.evidence ?? [];
  if (rules.length === 0) return undefined;
  const result = await verify(promotion, rules, ports);
  const [required, warned] = [unmetRules(result, 'require'), unmetRules(result, 'warn')];
  const text = describeUnmet([...required, ...warned]);
  const data = { unmet: text, statements: result.statements.map(({ file, status }) => `${status} ${file}`) };
  if (required.length === 0) {
    const what = warned.length === 0 ? 'evidence-verified' : 'evidence-missing';
    return { gate: undefined, what, summary: `${what}: ${text}`, data };
  }
  const pass = passOf(promotion);
  if (pass === undefined)
    return {
      gate: { gate: 'evidence', text: `Waiting for evidence: ${describeUnmet(required)}` },
      what: 'evidence-missing',
      summary: '',
      data,
    };
  const { by, reason } = pass;
  return {
    gate: undefined,
    what: 'evidence-passed',
    summary: ` allowed without evidence by ${by}: ${text}`,
    data: { ...data, by, reason },
  };
}

/** The pass of an operator, if it is for the commit and the version of the promotion. */
function passOf({ evidencePass, task, version }: PromotionRecord): PromotionRecord['evidencePass'] {
  const isMeant = evidencePass?.commit === task.commit && evidencePass.version === version;
  return isMeant ? evidencePass : undefined;
}

async function verify(
  { task, artifactCommit, version = '' }: PromotionRecord,
  rules: readonly EvidenceRule[],
  { github, config, clock }: EvidenceContext['ports'],
): Promise<EvidenceResult> {
  const { id } = task.repository;
  const commit = artifactCommit ?? task.commit;
  try {
    const { fullName } = await github.repository(id);
    const tree = await treeOfCommit(github, fullName, commit);
    if (tree === undefined) return unread(rules, `GitHub does not show the commit ${commit.slice(0, 12)}`);
    return await verifyVersion(
      {
        repository: fullName,
        repositoryId: id,
        commit,
        tree,
        version,
        isRefAllowed: allowedRefs(config, id),
        now: clock.now(),
        trust: trustFor(config.repositories, id),
        rules,
      },
      gitHubSource(github, fullName),
    );
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return unread(rules, `the evidence could not be read: ${error.message}`);
  }
}

function unread(rules: readonly EvidenceRule[], text: string): EvidenceResult {
  return {
    rules: rules.map(({ kind, mode }): RuleResult => ({ kind, mode, isMet: false, text })),
    statements: [],
  };
}

/** From which refs a version of a repository may be published, by `tags` and `branches` of worker.yaml. */
export function allowedRefs({ repositories }: WorkerConfig, repositoryId: number): (ref: string) => boolean {
  const { tags = [], branches = [] } = repositories.find(({ id }) => id === repositoryId) ?? {};
  return (ref) =>
    fitsAny(tags, nameAfter('refs/tags/', ref)) || fitsAny(branches, nameAfter('refs/heads/', ref));
}

/** The name of a tag or branch; empty, which no pattern matches, for another ref. */
function nameAfter(prefix: string, ref: string): string {
  return ref.startsWith(prefix) ? ref.slice(prefix.length) : '';
}
