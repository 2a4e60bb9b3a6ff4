import type { Deliveries } from '../../promotion/context/ports.ts';
import type { OperatorRole } from '../../../lib/config/worker/operator-schema.ts';
import { type ApiAnswer, ok } from './operations/answers.ts';
import { type ApiCall, type ApiPorts, limitOf } from './operations/api-call.ts';
import { listAudit } from './operations/audit.ts';
import { actInBulk, previewBulk } from './operations/bulk.ts';
import { showConfig } from './operations/config.ts';
import { listDeadLetters, replayLetter } from './operations/dead-letters.ts';
import { exportRecords } from './operations/export.ts';
import {
  approvePromotion,
  overrideFreeze,
  passEvidence,
  previewApproval,
  previewRejection,
  rejectPromotion,
} from './operations/gates.ts';
import { holdLane, listLanes, refreshLane, resumeLane, showLane } from './operations/lanes.ts';
import { listPauses, pauseLanes, resumePaused } from './operations/pauses.ts';
import { showDeliveryMetrics } from './operations/metrics.ts';
import { previewPromote, previewRollBack } from './operations/offer-versions.ts';
import { promoteVersion } from './operations/promote-version.ts';
import { rollBackLane } from './operations/roll-back-lane.ts';
import { cancelPromotion, retry, showPromotion } from './operations/promotions.ts';
import { listPromotions } from './operations/search-promotions.ts';
import { previewResolve, resolvePromotion } from './operations/resolve-promotion.ts';
import { timeOf } from './operations/time-of.ts';

const maxDeliveries = 200;

/** One route of the operators' API. */
export interface Route {
  readonly method: 'GET' | 'POST';
  /** Below `/api`. */
  readonly path: string;
  /** The lowest role that may use it. */
  readonly role: OperatorRole;
  /**
   * The subject. `lane`, `promotion`: of a repository that the operator may access, otherwise it does not
   * exist. `own`: the answer contains only accessible data. `all`: only for operators with access to all
   * repositories.
   */
  readonly about: 'lane' | 'promotion' | 'own' | 'all';
  readonly answer: (call: ApiCall<ApiPorts>) => ApiAnswer | Promise<ApiAnswer>;
}

/** All routes of the API. */
export const routes: readonly Route[] = [
  { method: 'GET', path: '/me', role: 'viewer', about: 'own', answer: showMe },
  { method: 'GET', path: '/lanes', role: 'viewer', about: 'own', answer: listLanes },
  { method: 'GET', path: '/lanes/:id', role: 'viewer', about: 'lane', answer: showLane },
  { method: 'POST', path: '/lanes/:id/refresh', role: 'viewer', about: 'lane', answer: refreshLane },
  { method: 'POST', path: '/lanes/:id/hold', role: 'approver', about: 'lane', answer: holdLane },
  { method: 'POST', path: '/lanes/:id/resume', role: 'approver', about: 'lane', answer: resumeLane },
  { method: 'POST', path: '/lanes/:id/roll-back', role: 'admin', about: 'lane', answer: rollBackLane },
  { method: 'GET', path: '/lanes/:id/roll-back', role: 'admin', about: 'lane', answer: previewRollBack },
  { method: 'GET', path: '/lanes/:id/promote', role: 'admin', about: 'lane', answer: previewPromote },
  { method: 'POST', path: '/lanes/:id/promote', role: 'admin', about: 'lane', answer: promoteVersion },
  { method: 'GET', path: '/pauses', role: 'viewer', about: 'own', answer: listPauses },
  { method: 'POST', path: '/pause', role: 'admin', about: 'own', answer: pauseLanes },
  { method: 'POST', path: '/pauses/:id/resume', role: 'admin', about: 'own', answer: resumePaused },
  { method: 'GET', path: '/metrics', role: 'viewer', about: 'own', answer: showDeliveryMetrics },
  { method: 'GET', path: '/promotions', role: 'viewer', about: 'own', answer: listPromotions },
  { method: 'GET', path: '/promotions/:id', role: 'viewer', about: 'promotion', answer: showPromotion },
  {
    method: 'POST',
    path: '/promotions/:id/approve',
    role: 'approver',
    about: 'promotion',
    answer: approvePromotion,
  },
  {
    method: 'GET',
    path: '/promotions/:id/approve',
    role: 'approver',
    about: 'promotion',
    answer: previewApproval,
  },
  {
    method: 'POST',
    path: '/promotions/:id/reject',
    role: 'approver',
    about: 'promotion',
    answer: rejectPromotion,
  },
  {
    method: 'GET',
    path: '/promotions/:id/reject',
    role: 'approver',
    about: 'promotion',
    answer: previewRejection,
  },
  {
    method: 'POST',
    path: '/promotions/:id/override-freeze',
    role: 'admin',
    about: 'promotion',
    answer: overrideFreeze,
  },
  {
    method: 'POST',
    path: '/promotions/:id/pass-evidence',
    role: 'admin',
    about: 'promotion',
    answer: passEvidence,
  },
  {
    method: 'POST',
    path: '/promotions/:id/cancel',
    role: 'approver',
    about: 'promotion',
    answer: cancelPromotion,
  },
  {
    method: 'POST',
    path: '/promotions/:id/retry',
    role: 'approver',
    about: 'promotion',
    answer: (call) => retry(call),
  },
  {
    method: 'POST',
    path: '/promotions/:id/resolve',
    role: 'admin',
    about: 'promotion',
    answer: resolvePromotion,
  },
  {
    method: 'GET',
    path: '/promotions/:id/resolve',
    role: 'admin',
    about: 'promotion',
    answer: previewResolve,
  },
  { method: 'GET', path: '/bulk/resume', role: 'approver', about: 'own', answer: previewBulk('resume') },
  { method: 'POST', path: '/bulk/resume', role: 'approver', about: 'own', answer: actInBulk('resume') },
  { method: 'GET', path: '/bulk/resolve', role: 'admin', about: 'own', answer: previewBulk('resolve') },
  { method: 'POST', path: '/bulk/resolve', role: 'admin', about: 'own', answer: actInBulk('resolve') },
  { method: 'GET', path: '/bulk/retry', role: 'approver', about: 'own', answer: previewBulk('retry') },
  { method: 'POST', path: '/bulk/retry', role: 'approver', about: 'own', answer: actInBulk('retry') },
  { method: 'GET', path: '/dead-letters', role: 'viewer', about: 'all', answer: listDeadLetters },
  { method: 'POST', path: '/dead-letters/:id/replay', role: 'admin', about: 'all', answer: replayLetter },
  { method: 'GET', path: '/export', role: 'viewer', about: 'own', answer: exportRecords },
  { method: 'GET', path: '/deliveries', role: 'viewer', about: 'all', answer: listDeliveries },
  { method: 'GET', path: '/config', role: 'viewer', about: 'all', answer: showConfig },
  { method: 'GET', path: '/audit', role: 'viewer', about: 'own', answer: listAudit },
];

/** Recent deliveries and their results, newest first. */
async function listDeliveries(call: ApiCall<Deliveries>): Promise<ApiAnswer> {
  const deliveries = await call.ports.deliveries.list(limitOf(call, maxDeliveries));
  return ok({
    deliveries: deliveries.map(({ at, ingestedAt, repository, ref, pull, noPromotion, ...delivery }) => ({
      ...delivery,
      repository: repository ?? null,
      ref: ref ?? null,
      pull: pull ?? null,
      noPromotion: noPromotion ?? null,
      at: timeOf(at),
      ingestedAt: timeOf(ingestedAt),
    })),
  });
}

/** The authenticated operator. */
function showMe({ operator: { name, role, repositories } }: ApiCall): ApiAnswer {
  return ok({ name, role, repositories });
}
