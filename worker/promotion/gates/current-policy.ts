import { gatesFor } from '../../../lib/config/effective-policy.ts';
import type { WorkerConfig } from '../../../lib/config/read-worker-config.ts';
import { personOf, personOfLogin } from '../../operators/person-of.ts';
import type { Gates } from '../../records/configured.ts';
import type { PromotionPlan } from '../../records/plan.ts';

/** What holds for a promotion now. */
export interface CurrentPolicy {
  readonly gates: Gates;
  /** Who may approve, as worker.yaml spells them, by person. */
  readonly approvers: ReadonlyMap<string, string>;
  /** Who pushed; undefined where nobody knows. */
  readonly pusher: string | undefined;
}

/**
 * The rules of a promotion’s plan under worker.yaml as it is now: a plan is settled when the push is taken in, and a gate
 * that was made stricter since, or a person who was taken off the list, must count. Undefined where worker.yaml
 * does not allow the promotion any more.
 */
export function currentPolicy(
  { repository, lane, pusher }: PromotionPlan,
  config: WorkerConfig,
): CurrentPolicy | undefined {
  const policy = config.repositories.find(({ id }) => id === repository.id);
  const project = lane.project.toLowerCase();
  if (policy === undefined || !policy.environments.includes(lane.to)) return undefined;
  if (!policy.projects.some((id) => id.toLowerCase() === project)) return undefined;
  return {
    gates: gatesFor(policy, lane),
    approvers: new Map(policy.approvers.map((name) => [personOf(config.operators, name), name])),
    pusher: pusher === undefined ? undefined : personOfLogin(config.operators, pusher.login),
  };
}
