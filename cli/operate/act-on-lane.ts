import type { z } from 'zod';
import { Failure } from '../../lib/core/errors/failure.ts';
import type { Outcome } from '../../lib/core/outcomes/outcome.ts';
import { choiceCells, choiceColumns } from '../../flows/versions/version-choices.ts';
import { tableLines } from '../../lib/core/text/table-lines.ts';
import { findTargetId } from './find-target-id.ts';
import { offerAnswer, type OfferAnswer } from './operator-answers.ts';
import { askWorker } from './operator-api.ts';
import type { Session } from '../kit/session.ts';

/** Longer than the twenty seconds for which the worker waits for the platform. */
const timeoutMs = 30_000;

/** What an operator asks the worker to do with a lane, with a reason. */
export interface LaneAct<Answer> {
  /** Name or id of the lane. */
  readonly lane: string;
  /** The end of the path in the worker's API. */
  readonly path: 'promote' | 'roll-back';
  readonly version: string | undefined;
  /** Further fields of the request. */
  readonly options?: Readonly<Record<string, boolean | string>>;
  readonly reason: string | undefined;
  /** What it is, and what the reason is for, if it is missing. */
  readonly missingReason: { readonly message: string; readonly hint: string };
  readonly dryRun: boolean;
  readonly answer: z.ZodType<Answer>;
  /** The query of a dry run, besides the version. */
  readonly query?: Readonly<Record<string, string>>;
  /** The first line of a dry run that would do something; `id` of the lane. */
  readonly describePlan: (id: string) => string;
  readonly describe: (answer: Answer, id: string) => string;
}

/** Sends the request to the worker; with `--dry-run`, shows what would be sent. */
export async function actOnLane<Answer extends object>(
  session: Session,
  { lane, path, version, options, reason, missingReason, dryRun, ...act }: LaneAct<Answer>,
): Promise<Outcome> {
  // A dry run only reads: it needs no reason.
  if (reason === undefined && !dryRun)
    throw new Failure('usage', { ...missingReason, where: { input: '--reason' } });
  const id = await findTargetId(session, 'lane', lane);
  if (dryRun) {
    const query = new URLSearchParams({ ...(version === undefined ? {} : { version }), ...act.query });
    const call = {
      method: 'GET',
      path: `lanes/${encodeURIComponent(id)}/${path}?${query.toString()}`,
    } as const;
    const offer = await askWorker(session, { ...call, timeoutMs }, offerAnswer);
    const named = {
      ...(version === undefined ? {} : { version }),
      ...(reason === undefined ? {} : { reason }),
    };
    session.output.result({ dryRun, ...named, ...offer }, offerLines(offer, act.describePlan(id)));
    return offer.problem === null ? 'passed' : 'failed';
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

/** The versions that can be chosen, and what would happen. `plan`: the first line, if something would. */
function offerLines({ environment, live, versions, would, problem }: OfferAnswer, plan: string): string[] {
  return [
    ...(versions.length === 0 ? [] : tableLines(choiceColumns, choiceCells(versions, environment))),
    `Live in ${environment} now: ${live ?? 'none'}.`,
    ...(problem === null ? [] : [`Nothing would be done: ${problem}`]),
    ...(would === null
      ? []
      : [
          plan,
          `${would.live} becomes live in ${environment}${would.disables.length === 0 ? '' : `; first disables ${would.disables.join(', ')}`}.`,
        ]),
  ];
}
