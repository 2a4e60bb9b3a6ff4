import type { z } from 'zod';
import { Failure } from '../../lib/core/errors/failure.ts';
import type { Outcome } from '../../lib/core/outcomes/outcome.ts';
import { findTargetId } from './find-target-id.ts';
import { askWorker } from './operator-api.ts';
import type { Session } from '../kit/session.ts';

/** Longer than the twenty seconds for which the worker waits for the platform. */
const timeoutMs = 30_000;

/** What an operator asks of a lane, which needs a reason. */
export interface LaneAct<Answer> {
  /** Name or id of the lane. */
  readonly lane: string;
  /** The end of the path in the worker's API. */
  readonly path: 'promote' | 'roll-back';
  readonly version: string | undefined;
  /** Further fields of the request. */
  readonly options?: Readonly<Record<string, boolean>>;
  readonly reason: string | undefined;
  /** What it is, and what the reason is for, if it is missing. */
  readonly missingReason: { readonly message: string; readonly hint: string };
  readonly dryRun: boolean;
  readonly answer: z.ZodType<Answer>;
  /** The line of a dry run; `id` of the lane. */
  readonly describePlan: (id: string, reason: string) => string;
  readonly describe: (answer: Answer, id: string) => string;
}

/** Sends it to the worker, or shows what it would send. */
export async function actOnLane<Answer extends object>(
  session: Session,
  { lane, path, version, options, reason, missingReason, dryRun, ...act }: LaneAct<Answer>,
): Promise<Outcome> {
  if (reason === undefined) throw new Failure('usage', { ...missingReason, where: { input: '--reason' } });
  const id = await findTargetId(session, 'lane', lane);
  if (dryRun) {
    const plan = { dryRun, lane: id, ...(version === undefined ? {} : { version }), reason };
    session.output.result(plan, [act.describePlan(id, reason)]);
    return 'passed';
  }
  const answer = await askWorker(
    session,
    {
      method: 'POST',
      path: `lanes/${encodeURIComponent(id)}/${path}`,
      body: { version, reason, ...options },
      timeoutMs,
    },
    act.answer,
  );
  session.output.result(answer, [act.describe(answer, id)]);
  return 'passed';
}
