import { brokenRules, gatesFor } from '../../../lib/config/worker/effective-policy.ts';
import { isTeam } from '../../../lib/config/worker/operator-schema.ts';
import type { WorkerConfig } from '../../../lib/config/worker/read-worker-config.ts';
import { personOf, personOfLogin } from '../../operators/person-of.ts';
import { type AuditEntry, namesLogin } from '../../records/audit-entry.ts';
import type { Gates } from '../../records/configured.ts';
import type { PromotionTask } from '../../records/promotion-task.ts';

/** The rules of worker.yaml that apply to a promotion now. */
export interface CurrentPolicy {
  readonly gates: Gates;
  /** The approvers by person, as worker.yaml spells them; without teams. */
  readonly approvers: ReadonlyMap<string, string>;
  /** Teams on GitHub whose members may approve: `@organization/team`. */
  readonly teams: readonly string[];
  /** Whether it is known who pushed. */
  readonly isPusherKnown: boolean;
  /** Whether it is known who wrote the pushed commits; true if that does not matter. */
  readonly areAuthorsKnown: boolean;
  /** Who pushed. */
  readonly pushers: ReadonlySet<string>;
  /** Who wrote the pushed commits, if they may not approve. */
  readonly authors: ReadonlySet<string>;
  /** GitHub's ids of those who pushed or requested it: a login can change before the approval. */
  readonly pusherIds: ReadonlySet<number>;
  /** GitHub's ids of those who wrote the pushed commits, if they may not approve. */
  readonly authorIds: ReadonlySet<number>;
}

/**
 * Applies the current worker.yaml to a promotion's task. The task is fixed when the push is ingested, but stricter
 * gates and removed approvers must count from now on. Undefined if worker.yaml no longer allows the promotion.
 */
export function currentPolicy(task: PromotionTask, config: WorkerConfig): CurrentPolicy | undefined {
  const { repository, lane, request } = task;
  const { pusher, otherPushers = [], authors = [], authorIds = {} } = task;
  const policy = config.repositories.find(({ id }) => id === repository.id);
  const project = lane.project.toLowerCase();
  if (policy === undefined || !policy.environments.includes(lane.to)) return undefined;
  if (!policy.projects.some((id) => id.toLowerCase() === project)) return undefined;
  if (brokenRules(policy, lane).length > 0) return undefined;
  // Tasks of older workers lack these.
  const { checks = [], evidence = [], windows = [], authorsMayApprove = true } = lane.gates;
  const complete = { ...lane.gates, checks, evidence, windows, authorsMayApprove };
  const gates = gatesFor(policy, { ...lane, gates: complete });
  const personWith = (login: string): string => personOfLogin(config.operators, login);
  const personBy = ({ by, via }: Pick<AuditEntry, 'by' | 'via'>): string =>
    namesLogin(via) ? personWith(by) : personOf(config.operators, by);
  const pushers = pusher === undefined ? otherPushers : [pusher, ...otherPushers];
  return {
    gates,
    approvers: new Map(
      policy.approvers
        .filter((name) => !isTeam(name))
        .map((name) => [personOf(config.operators, name), name]),
    ),
    teams: policy.approvers.filter(isTeam),
    isPusherKnown: pusher !== undefined,
    areAuthorsKnown: gates.authorsMayApprove || areAuthorsKnown(task),
    // An operator may not approve what they requested either.
    pushers: new Set([
      ...pushers.map(({ login }) => personWith(login)),
      ...(request === undefined ? [] : [personBy(request)]),
    ]),
    authors: new Set(gates.authorsMayApprove ? [] : authors.map(personWith)),
    pusherIds: new Set([...pushers.map(({ id }) => id), request?.githubId].filter((id) => id !== undefined)),
    authorIds: new Set(gates.authorsMayApprove ? [] : Object.values(authorIds)),
  };
}

function areAuthorsKnown({
  authors = [],
  areAuthorsKnown: areKnown,
  mayHaveOtherAuthors,
}: PromotionTask): boolean {
  return mayHaveOtherAuthors !== true && (areKnown ?? authors.length > 0);
}
