import type { ShownLane } from '../../api/operations/describe-lane.ts';
import type { ShownPromotion } from '../../api/operations/describe-promotion.ts';
import { hasRole } from '../../../operators/operator.ts';
import { personOf, personOfLogin } from '../../../operators/person-of.ts';
import { isTeam } from '../../../../lib/config/worker/operator-schema.ts';
import { type Content, html, type Markup } from '../../../../lib/html/markup.ts';
import { repositoryOf } from '../../../store/lanes/lane-id.ts';
import { placeOf, type SubjectKind } from '../parts/parts.ts';
import type { Visit } from '../parts/visit.ts';
import { type Act, acts, mayAct, pathOf } from './acts.ts';

type Viewer = Pick<Visit, 'operator' | 'ports'>;

/** Links to the actions on a promotion that are possible now and that this operator may do. */
export function promotionActions(promotion: ShownPromotion, viewer: Viewer): Content {
  return links('promotions', promotion.id, ({ name }) => fitsPromotion(name, promotion, viewer), viewer);
}

/**
 * Links to the actions on a lane and on its active promotion. `few`: without actions that are only on the lane's
 * page; `urgent`: only actions that let the lane continue.
 */
export function laneActs(lane: ShownLane, viewer: Viewer, which: keyof typeof left = 'all'): Content {
  const promotion = lane.active ?? lane.last;
  // An indeterminate promotion is not the newest one if pushes followed it.
  const unresolved = lane.indeterminate.filter(({ id }) => id !== promotion?.id);
  return [
    promotion === null ? null : promotionActions(promotion, viewer),
    unresolved.map(({ id }) => links('promotions', id, ({ name }) => name === 'resolve', viewer)),
    links('lanes', lane.id, ({ name }) => fitsLane(name, lane) && !left[which].includes(name), viewer),
  ];
}

/** Actions that are left out. */
const left: Readonly<Record<'all' | 'few' | 'urgent', readonly string[]>> = {
  all: [],
  few: ['refresh', 'roll-back', 'promote'],
  urgent: ['refresh', 'roll-back', 'promote', 'hold'],
};

/** The link to replay a dead letter. */
export function letterActs(id: string, viewer: Viewer): Content {
  return links('dead-letters', id, () => true, viewer);
}

/** The link that ends a pause. */
export function pauseActs(id: string, viewer: Viewer): Content {
  return links('pauses', id, () => true, viewer);
}

/** The link to the bulk actions. */
export function bulkLink({ operator }: Viewer): Content {
  return hasRole(operator, 'approver') ? html`<a class="act" href="/bulk/resume">Several at once</a>` : null;
}

/** Links to the actions on the whole worker. */
export function workerActs({ operator }: Viewer): Content {
  return acts
    .filter((act) => act.kind === 'worker' && mayAct(operator, act))
    .map((act) => html`<a class="act" href="${pathOf(act)}">${act.label}</a> `);
}

function links(
  kind: Exclude<SubjectKind, 'worker'>,
  id: string,
  fits: (act: Act) => boolean,
  { operator }: Viewer,
): readonly Markup[] {
  return acts
    .filter((act) => act.kind === kind && mayAct(operator, act) && fits(act))
    .map(({ name, label }) => html`<a class="act ${name}" href="${placeOf(kind, id)}/${name}">${label}</a> `);
}

function fitsPromotion(name: string, promotion: ShownPromotion, viewer: Viewer): boolean {
  const open = promotion.state === 'queued' || promotion.state === 'active';
  switch (name) {
    case 'approve': {
      return (
        mayStillBeApproved(promotion) &&
        isAmong(promotion.approvals?.mayApprove ?? [], viewer) &&
        (promotion.approvals?.given.length ?? 0) < (promotion.approvals?.needed ?? 0)
      );
    }
    case 'reject':
      return mayStillBeApproved(promotion) && isAmong(approversOf(promotion, viewer), viewer);
    case 'override-freeze':
      return promotion.waitsFor === 'freeze';
    case 'pass-evidence':
      return promotion.waitsFor === 'evidence';
    case 'resolve':
      return promotion.outcome === 'indeterminate' && !promotion.passedBy;
    case 'retry':
      return promotion.state === 'finished' && promotion.outcome !== 'passed';
    case 'cancel':
      return open;
    default:
      return false;
  }
}

/** It needs approvals, its version is known, and it has not changed the target yet. */
function mayStillBeApproved({ state, version, step, intent, approvals }: ShownPromotion): boolean {
  return (
    (state === 'queued' || state === 'active') &&
    approvals !== null &&
    version !== null &&
    ['resolve', 'promote', null].includes(step) &&
    intent === null
  );
}

/** Whether the person is in a list of approvers. Who is in a team, only GitHub knows: it is asked when the person decides. */
function isAmong(approvers: readonly string[], { operator, ports }: Viewer): boolean {
  const { operators } = ports.config;
  const nameOf = operator.github === undefined ? personOf : personOfLogin;
  const person = nameOf(operators, operator.name);
  return approvers.some((approver) => isTeam(approver) || personOf(operators, approver) === person);
}

/** The approvers of the repository, also those who pushed the version: they may reject it. */
function approversOf({ lane }: ShownPromotion, { ports }: Viewer): readonly string[] {
  const repository = ports.config.repositories.find(({ id }) => id === repositoryOf(lane));
  return repository?.approvers ?? [];
}

function fitsLane(name: string, { holds, live, active, last }: ShownLane): boolean {
  switch (name) {
    case 'refresh':
      return true;
    case 'hold':
      return !holds.some(({ cause }) => cause === 'manual');
    case 'resume':
      return holds.length > 0;
    case 'promote':
      return last !== null;
    case 'roll-back':
      return live.version !== null && active === null;
    default:
      return false;
  }
}
