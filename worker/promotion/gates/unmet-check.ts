import type { GitHubReads, Policy } from '../context/ports.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import type { PromotionRecord } from '../../records/promotion-record.ts';
import type { BlockingGate } from './blocking-gate.ts';
import { currentPolicy } from './current-policy.ts';

/**
 * The first required check that has not succeeded on the commit; undefined if all have. It also blocks if GitHub
 * cannot be read. Sends one request for each check.
 */
export async function unmetCheck({
  promotion,
  ports,
}: {
  readonly promotion: PromotionRecord;
  readonly ports: Pick<Policy, 'config'> & GitHubReads;
}): Promise<BlockingGate | undefined> {
  const { task } = promotion;
  const commit = promotion.artifactCommit ?? task.commit;
  const checks = currentPolicy(task, ports.config)?.gates.checks ?? [];
  if (checks.length === 0) return undefined;
  try {
    const { fullName } = await ports.github.repository(task.repository.id);
    for (const name of checks) {
      const conclusions = await ports.github.checks.conclusionsOf(fullName, { commit, name });
      const text = textOf(name, conclusions);
      if (text !== undefined) return { gate: 'checks', text };
    }
    return undefined;
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    return { gate: 'checks', text: `Waiting: the checks of the commit could not be read: ${error.message}` };
  }
}

/** Skipped and neutral ones do not count. */
function textOf(name: string, conclusions: readonly (string | null)[]): string | undefined {
  if (conclusions.length === 0) return `Waiting for the check "${name}": the commit does not have it yet`;
  const bad = conclusions.find((conclusion) => conclusion !== null && conclusion !== 'success');
  if (bad !== undefined) return `Waiting: the check "${name}" of the commit ended as ${bad}`;
  return conclusions.includes(null) ? `Waiting for the check "${name}", which is still running` : undefined;
}
