import { standingRules } from '../../promotion/gates/standing-rules.ts';
import { askDisabled, refuseDisabled } from '../../promotion/live/ask-disabled.ts';
import type { NotOpened, Seen } from '../../store/steering.ts';
import { type Given, giveApproval } from '../../promotion/give-approval.ts';
import { type ApiAnswer, conflict, forbidden, ok, unknown, wrong } from './answers.ts';
import { type ApiCall, textOf } from './api-call.ts';
import { describeRun } from './describe-run.ts';

const reasons: Readonly<Record<NotOpened | 'the-pusher' | 'not-needed', string>> = {
  'the-pusher': 'whoever pushed a version cannot approve it',
  'not-needed': 'the run needs no approval',
  unknown: 'there is no such run',
  over: 'the run is over',
  begun: 'its version is being promoted already',
  'no-version': 'the run has not found its version yet',
  changed: 'the run is about another commit or version than you saw',
  superseded: 'a newer push has come; look at that one',
};

/**
 * One person's yes. The body names the `commit` and the `version` that the person saw; the approval counts for exactly
 * these. Whoever pushed it, or is none of the repository's approvers, cannot give one; nor can anybody for a version that
 * is disabled in its source or its target. `unchecked`: why the platform could not be asked about that.
 */
export async function approveRun(call: ApiCall): Promise<ApiAnswer> {
  const { id, engine } = call;
  const seen = seenBy(call);
  if (seen === undefined) return whatIsApproved;
  const given = await approve(call, seen);
  if ('status' in given) return given;
  const { said } = given;
  const run = await engine.store.run(id);
  if (run === undefined) return unknown();
  return ok({
    approved: id,
    ...seen,
    already: said === 'already',
    approvals: describeRun(run, undefined, engine).approvals,
    ...('unchecked' in given ? { unchecked: given.unchecked } : {}),
  });
}

/** Whether an approval of the `commit` and `version` of the query would count. Changes nothing. */
export async function previewApproval(call: ApiCall): Promise<ApiAnswer> {
  const [commit, version] = [call.query.get('commit'), call.query.get('version')];
  if (!commit || !version) return whatIsApproved;
  const given = await approve(call, { run: call.id, commit, version }, { dryRun: true });
  if ('status' in given) return given;
  const { said, ...rest } = given;
  return ok({ run: call.id, commit, version, already: said === 'already', ...rest });
}

const whatIsApproved = wrong('say which `commit` and `version` you approve');

/** Takes the approval; the answer where it does not count. */
async function approve(
  { operator, via, engine }: ApiCall,
  seen: Seen,
  options: { readonly dryRun?: boolean } = {},
): Promise<ApiAnswer | Extract<Given, { said: 'ok' | 'already' }>> {
  const given = await giveApproval({ name: operator.name, via }, seen, engine, options);
  const { said } = given;
  if (said === 'ok' || said === 'already') return given;
  if (said === 'disabled') return conflict(refuseDisabled(seen.version, given.environment));
  if (said === 'not-an-approver')
    return forbidden(`${operator.name} is none of the repository’s approvers (worker.yaml)`);
  return conflict(reasons[said]);
}

/** Lets one run through freezes, with a reason, for exactly the commit and version that the admin saw. */
export async function overrideFreeze(call: ApiCall): Promise<ApiAnswer> {
  const { id, operator, engine } = call;
  const why = textOf(call, 'reason');
  if (why === undefined) return wrong('an override needs a `reason`');
  const seen = seenBy(call);
  if (seen === undefined) return wrong('say which `commit` and `version` may go');
  const run = await engine.store.run(id);
  if (run === undefined) return unknown();
  if (standingRules(run.plan, engine.config)?.gates.freeze.length === 0)
    return conflict('no freeze concerns the run');
  const { commit, version } = seen;
  const isMeant = run.state !== 'finished' && run.version === version && run.plan.commit === commit;
  const disabled = isMeant ? await askDisabled(run, version, engine) : undefined;
  if (disabled?.kind === 'disabled') return conflict(refuseDisabled(version, disabled.environment));
  const said = await engine.store.overrideFreeze(seen, {
    by: operator.name,
    via: call.via,
    why,
    commit,
    version,
    at: engine.clock.now(),
  });
  if (said !== 'ok') return conflict(reasons[said]);
  await engine.queues.hurryTurn(id);
  return ok({ overridden: id, ...seen, why });
}

function seenBy(call: ApiCall): { run: string; commit: string; version: string } | undefined {
  const [commit, version] = [textOf(call, 'commit'), textOf(call, 'version')];
  return commit === undefined || version === undefined ? undefined : { run: call.id, commit, version };
}
