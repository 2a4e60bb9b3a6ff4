import { Failure } from '../../../lib/core/failure.ts';
import { act, type AddCommand, define } from '../../kit/command.ts';
import type { HoldAnswer } from '../../kit/operator-answers.ts';
import { doerOf } from '../../kit/doer.ts';
import type { CommonOptions, Session } from '../../kit/session.ts';
import { seenPromotion } from './approve.ts';
import { headOf } from './promotions.ts';

interface Options extends CommonOptions {
  readonly overrideFreeze?: string;
  readonly cause?: string;
  readonly reason?: string;
  readonly dryRun?: boolean;
}

/** `millrace resume`: lets a held lane go on; with --override-freeze one promotion through a freeze. */
export const addResume: AddCommand = (program, shell) => {
  define(
    program,
    'resume',
    'Let a held lane go on; or, with --override-freeze, one promotion through a freeze.',
  )
    .argument('[lane]', 'the lane, by its name or by the id that `millrace lanes` shows')
    .option(
      '--override-freeze <promotion>',
      'let this promotion, its commit and its version go in a freeze (admins only)',
    )
    .option('--cause <cause>', 'only the holds of this cause, such as state-lost; the others stay')
    .option('--reason <text>', 'why; everybody who looks reads it')
    .option('--dry-run', 'say what would happen, change nothing')
    .action(
      act<Options>(shell, async (session, options, lane) => {
        const { overrideFreeze } = options;
        if ((lane === undefined) === (overrideFreeze === undefined)) {
          throw new Failure('usage', {
            message: 'Say either which lane is released, or with --override-freeze which promotion may go.',
            where: { input: lane === undefined ? 'lane' : '--override-freeze' },
          });
        }
        if (overrideFreeze !== undefined && options.cause !== undefined) {
          throw new Failure('usage', {
            message: 'A freeze has no cause that could be chosen.',
            where: { input: '--cause' },
          });
        }
        return overrideFreeze === undefined
          ? resumeLane(session, lane ?? '', options)
          : override(session, overrideFreeze, options);
      }),
    );
};

async function resumeLane(
  session: Session,
  lane: string,
  { cause, reason, dryRun = false }: Options,
): Promise<'passed'> {
  const { askWorker } = await import('../../kit/operator-api.ts');
  const { laneAnswer, resumedAnswer } = await import('../../kit/operator-answers.ts');
  const { lookUpTarget } = await import('../../kit/look-up-target.ts');
  const id = await lookUpTarget(session, 'lane', lane);
  const path = `lanes/${encodeURIComponent(id)}`;
  const all = (await askWorker(session, { method: 'GET', path }, laneAnswer)).holds;
  const seen = all.filter((hold) => cause === undefined || hold.cause === cause);
  if (seen.length === 0) {
    throw new Failure('conflict', {
      message: cause === undefined ? 'The lane is not on hold.' : `Nothing holds the lane by "${cause}".`,
      where: { input: cause === undefined ? 'lane' : '--cause' },
      hint: 'See `millrace lanes` for what holds it.',
    });
  }
  if (dryRun) {
    session.output.result({ dryRun, lane: id, holds: seen }, [`Would resume: ${id}.`, ...linesOf(seen)]);
    return 'passed';
  }
  // What is shown here is what is released: a hold that comes meanwhile stays.
  const body = { reason, holds: seen.map((hold) => hold.id) };
  const answer = await askWorker(session, { method: 'POST', path: `${path}/resume`, body }, resumedAnswer);
  const { lifted, left } = answer;
  session.output.result(answer, [
    `Resumed: ${id}.`,
    ...linesOf(lifted),
    ...(left.length === 0 ? [] : ['It stays on hold:', ...linesOf(left)]),
  ]);
  return 'passed';
}

const linesOf = (holds: readonly HoldAnswer[]): string[] =>
  holds.map(({ cause, why, by }) => `  ${cause}: ${why} (${doerOf(by)})`);

async function override(
  session: Session,
  id: string,
  { reason, dryRun = false }: Options,
): Promise<'passed'> {
  if (reason === undefined) {
    throw new Failure('usage', {
      message: 'A freeze is overridden for a reason, which the audit keeps.',
      where: { input: '--reason' },
    });
  }
  const promotion = await seenPromotion(session, id, {});
  const { commit, version } = promotion;
  if (dryRun) {
    session.output.result({ dryRun, promotion: id, commit, version }, [
      'Would let through a freeze:',
      ...headOf(promotion),
    ]);
    return 'passed';
  }
  const answer = await post(session, `promotions/${encodeURIComponent(id)}/override-freeze`, {
    commit,
    version,
    reason,
  });
  session.output.result(answer, [
    `May go in a freeze: ${version ?? ''} at ${commit.slice(0, 12)} (${reason}).`,
  ]);
  return 'passed';
}

async function post(session: Session, path: string, body: unknown) {
  const { askWorker } = await import('../../kit/operator-api.ts');
  const { anyAnswer } = await import('../../kit/operator-answers.ts');
  return askWorker(session, { method: 'POST', path, body }, anyAnswer);
}
