import type { OperatorRole } from '../../../lib/config/operator-schema.ts';
import type { ApiAnswer } from './answers.ts';
import type { ApiCall } from './api-call.ts';
import { listAudit } from './audit.ts';
import { listDeadLetters, replayLetter } from './dead-letters.ts';
import { listDeliveries } from './deliveries.ts';
import { approveRun, overrideFreeze, previewApproval } from './gates.ts';
import { holdLane, listLanes, refreshLane, releaseLane, showLane } from './lanes.ts';
import { rollBackLane } from './roll-back-lane.ts';
import { cancelRun, listRuns, retryRun, showRun } from './runs.ts';
import { previewSettle, settleRun } from './settle-run.ts';
import { showMe } from './me.ts';

/** One call of the operators' API. */
export interface Route {
  readonly method: 'GET' | 'POST';
  /** `*` stands for an id. */
  readonly path: string;
  /** The least that the operator must be. */
  readonly role: OperatorRole;
  /**
   * What it is about. A `lane` or a `run`: of a repository that the operator may touch, else it is not there. `own`:
   * the answer itself holds only what is theirs. `all`: only for those who may touch all repositories.
   */
  readonly about: 'lane' | 'run' | 'own' | 'all';
  readonly answer: (call: ApiCall) => ApiAnswer | Promise<ApiAnswer>;
}

/** The whole of it. Nothing else is answered. */
export const routes: readonly Route[] = [
  { method: 'GET', path: 'me', role: 'viewer', about: 'own', answer: showMe },
  { method: 'GET', path: 'lanes', role: 'viewer', about: 'own', answer: listLanes },
  { method: 'GET', path: 'lanes/*', role: 'viewer', about: 'lane', answer: showLane },
  { method: 'POST', path: 'lanes/*/refresh', role: 'viewer', about: 'lane', answer: refreshLane },
  { method: 'POST', path: 'lanes/*/hold', role: 'approver', about: 'lane', answer: holdLane },
  { method: 'POST', path: 'lanes/*/release', role: 'approver', about: 'lane', answer: releaseLane },
  { method: 'POST', path: 'lanes/*/roll-back', role: 'admin', about: 'lane', answer: rollBackLane },
  { method: 'GET', path: 'runs', role: 'viewer', about: 'own', answer: listRuns },
  { method: 'GET', path: 'runs/*', role: 'viewer', about: 'run', answer: showRun },
  { method: 'POST', path: 'runs/*/approve', role: 'approver', about: 'run', answer: approveRun },
  { method: 'GET', path: 'runs/*/approve', role: 'approver', about: 'run', answer: previewApproval },
  { method: 'POST', path: 'runs/*/override-freeze', role: 'admin', about: 'run', answer: overrideFreeze },
  { method: 'POST', path: 'runs/*/cancel', role: 'approver', about: 'run', answer: cancelRun },
  { method: 'POST', path: 'runs/*/retry', role: 'approver', about: 'run', answer: retryRun },
  { method: 'POST', path: 'runs/*/settle', role: 'admin', about: 'run', answer: settleRun },
  { method: 'GET', path: 'runs/*/settle', role: 'admin', about: 'run', answer: previewSettle },
  { method: 'GET', path: 'dead-letters', role: 'viewer', about: 'all', answer: listDeadLetters },
  { method: 'POST', path: 'dead-letters/*/replay', role: 'admin', about: 'all', answer: replayLetter },
  { method: 'GET', path: 'deliveries', role: 'viewer', about: 'all', answer: listDeliveries },
  { method: 'GET', path: 'audit', role: 'viewer', about: 'own', answer: listAudit },
];
