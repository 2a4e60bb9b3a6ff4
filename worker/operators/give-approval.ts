import type { NotOpened, Seen } from '../lanes/steering.ts';
import { standingRules } from '../gates/standing-rules.ts';
import type { Engine } from '../run/engine.ts';
import type { Via } from './audit-entry.ts';
import { personOf, personOfLogin } from './person-of.ts';

/** What became of an approval. */
export type Given = 'ok' | 'already' | 'not-an-approver' | 'the-pusher' | 'not-needed' | NotOpened;

/**
 * Takes one person's approval of what they saw, if it is theirs to give: they stand in the repository's `approvers`,
 * and did not push it. Where it counts, the run goes on at once.
 */
export async function giveApproval(
  who: { readonly name: string; readonly via: Via; readonly githubId?: number },
  seen: Seen,
  { store, queues, config, clock }: Pick<Engine, 'store' | 'queues' | 'config' | 'clock'>,
): Promise<Given> {
  const run = await store.run(seen.run);
  if (run === undefined) return 'unknown';
  const rules = standingRules(run.plan, config);
  const nameOf = who.via === 'comment' ? personOfLogin : personOf;
  const person = nameOf(config.operators, who.name);
  if (rules === undefined || !rules.approvers.has(person)) return 'not-an-approver';
  // By id too: a login can be changed between the push and the comment.
  const { pusher } = run.plan;
  if (person === rules.pusher || (who.githubId !== undefined && who.githubId === pusher?.id))
    return 'the-pusher';
  if (rules.gates.approvals === 0) return 'not-needed';
  const { commit, version } = seen;
  const said = await store.approve(seen, {
    person,
    by: who.name,
    via: who.via,
    commit,
    version,
    at: clock.now(),
  });
  if (said === 'ok' && run.state === 'active') await queues.hurryTurn(run.id);
  return said;
}
