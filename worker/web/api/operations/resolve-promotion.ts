import type { LaneReads } from '../../../store/lanes/lane-reads.ts';
import type { PlatformCalls, Queues, Records } from '../../../promotion/context/ports.ts';
import type { LaneControl } from '../../../store/lanes/lane-control.ts';
import { resumeAt, type ResumeAt } from '../../../promotion/decisions/resume-at.ts';
import { isPassedBy } from '../../../store/lanes/lane-record.ts';
import type { PromotionRecord } from '../../../records/promotion-record.ts';
import { verifyVerdict } from '../../../promotion/decisions/verify-verdict.ts';
import { type ApiAnswer, badGateway, conflict, ok, unavailable, unknown, wrong } from './answers.ts';
import { type ApiCall, isGiven, textOf } from './api-call.ts';

/** An id of the platform; it becomes part of a URL. */
const idForm = /^[0-9A-Za-z_-]{1,100}$/;

/**
 * Resolves an indeterminate promotion with a person's verdict: `executionId` (the execution that it started) or
 * `happened` (true or false); `reason` is stored with it. The platform is asked first. If it contradicts the
 * verdict or does not answer, nothing changes. Otherwise the promotion continues from there.
 */
export async function resolvePromotion(
  call: ApiCall<Records<LaneControl & LaneReads> & PlatformCalls & Queues>,
): Promise<ApiAnswer> {
  const { id, operator, via, ports, isDisconnected } = call;
  const { store, queues } = ports;
  if (isGiven(call, 'happened') && flagOf(call) === undefined)
    return wrong('`happened` must be true or false');
  const findings = { executionId: textOf(call, 'executionId'), happened: flagOf(call) };
  const verdict = await judge(call, findings);
  if ('body' in verdict) return verdict;
  // The platform took too long: the caller saw a failure, so nothing may happen.
  if (isDisconnected?.() === true) return unavailable();
  const reason = textOf(call, 'reason') ?? '';
  const { status, started } = await store.resolve(verdict.promotion, verdict.at, {
    by: operator.name,
    via,
    findings: { ...findings, reason },
  });
  switch (status) {
    case 'not-indeterminate':
      return conflict('the promotion is not indeterminate, so there is nothing to resolve');
    case 'busy':
      return conflict('another promotion is running in the lane: wait until it ends, or cancel it');
    case 'passed-by':
      return passedBy;
    case 'ok':
      if (started !== '') await queues.expediteAdvance(started);
      return ok({ promotion: id, continues: started === id }, 202);
  }
}

/**
 * Whether a verdict with the `executionId` or `happened` (true or false) in the query would be accepted. Changes
 * nothing.
 */
export async function previewResolve(call: ApiCall<Records<LaneReads> & PlatformCalls>): Promise<ApiAnswer> {
  const { id, query } = call;
  const status = query.get('happened');
  if (status !== null && status !== 'true' && status !== 'false')
    return wrong('`happened` must be true or false');
  const findings = {
    executionId: query.get('executionId') ?? undefined,
    happened: status === null ? undefined : status === 'true',
  };
  const verdict = await judge(call, findings);
  if ('body' in verdict) return verdict;
  return ok({ promotion: id, ...findings, step: verdict.at.step.name });
}

const passedBy = conflict('a newer version has been verified in the lane since: nothing is left to resolve');

interface Given {
  readonly executionId: string | undefined;
  readonly happened: boolean | undefined;
}

/** Where the promotion would continue after a verdict; or why the verdict is not accepted. */
async function judge(
  { id, operator, ports }: ApiCall<Records<LaneReads> & PlatformCalls>,
  findings: Given,
): Promise<
  ApiAnswer | { readonly promotion: PromotionRecord; readonly at: Exclude<ResumeAt, { wrong: string }> }
> {
  const promotion = await ports.store.promotion(id);
  if (promotion === undefined) return unknown();
  if (promotion.outcome !== 'indeterminate')
    return conflict('the promotion is not indeterminate, so there is nothing to resolve');
  if (isPassedBy(promotion, await ports.store.lane(promotion.lane))) return passedBy;
  const { executionId, happened } = findings;
  if (executionId !== undefined && happened !== undefined)
    return wrong('give either an `executionId` or `happened`, not both');
  if (executionId !== undefined && !idForm.test(executionId))
    return wrong('`executionId` must be the id of an execution, as the platform shows it');
  const at = resumeAt(promotion, findings, operator.name, ports.clock.now());
  if ('wrong' in at) return wrong(at.wrong);
  const objection = await verifyVerdict(promotion, findings, ports);
  switch (objection?.kind) {
    case 'refuted':
      return conflict(objection.reason);
    case 'unreachable':
      return badGateway(objection.reason);
    case undefined:
      return { promotion, at };
  }
}

function flagOf({ body }: ApiCall): boolean | undefined {
  if (typeof body !== 'object' || body === null) return undefined;
  const value: unknown = Object.getOwnPropertyDescriptor(body, 'happened')?.value;
  return typeof value === 'boolean' ? value : undefined;
}
