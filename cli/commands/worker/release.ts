import { Failure } from '../../../lib/core/failure.ts';
import { act, type AddCommand, define } from '../../kit/command.ts';
import type { HoldAnswer } from '../../kit/operator-answers.ts';
import { doerOf } from '../../kit/doer.ts';
import type { CommonOptions, Session } from '../../kit/session.ts';
import { seenRun } from './approve.ts';
import { headOf } from './runs.ts';

interface Options extends CommonOptions {
  readonly overrideFreeze?: string;
  readonly cause?: string;
  readonly reason?: string;
  readonly dryRun?: boolean;
}

/** `millrace release`: lets a held lane go on; with --override-freeze one run through a freeze. */
export const addRelease: AddCommand = (program, shell) => {
  define(program, 'release', 'Let a held lane go on; or, with --override-freeze, one run through a freeze.')
    .argument('[lane]', 'the lane, by its name or by the id that `millrace lanes` shows')
    .option(
      '--override-freeze <run>',
      'let this run, its commit and its version go in a freeze (admins only)',
    )
    .option('--cause <cause>', 'only the holds of this cause, such as state-lost; the others stay')
    .option('--reason <text>', 'why; everybody who looks reads it')
    .option('--dry-run', 'say what would happen, change nothing')
    .action(
      act<Options>(shell, async (session, options, lane) => {
        const { overrideFreeze } = options;
        if ((lane === undefined) === (overrideFreeze === undefined)) {
          throw new Failure('usage', {
            message: 'Say either which lane is released, or with --override-freeze which run may go.',
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
          ? releaseLane(session, lane ?? '', options)
          : override(session, overrideFreeze, options);
      }),
    );
};

async function releaseLane(
  session: Session,
  lane: string,
  { cause, reason, dryRun = false }: Options,
): Promise<'passed'> {
  const { askWorker } = await import('../../kit/operator-api.ts');
  const { laneAnswer, releasedAnswer } = await import('../../kit/operator-answers.ts');
  const { lookUpTarget } = await import('../../kit/look-up-target.ts');
  const id = await lookUpTarget(session, 'lane', lane);
  const path = `lanes/${encodeURIComponent(id)}`;
  const all = (await askWorker(session, { method: 'GET', path }, laneAnswer)).holds;
  const seen = all.filter((hold) => cause === undefined || hold.cause === cause);
  if (seen.length === 0) {
    throw new Failure('conflict', {
      message: cause === undefined ? 'The lane is not on hold.' : `Nothing holds the lane by "${cause}".`,
      where: { input: cause === undefined ? 'lane' : '--cause' },
      mend: 'See `millrace lanes` for what holds it.',
    });
  }
  if (dryRun) {
    session.output.result({ dryRun, lane: id, holds: seen }, [`Would release: ${id}.`, ...linesOf(seen)]);
    return 'passed';
  }
  // What is shown here is what is released: a hold that comes meanwhile stays.
  const body = { reason, holds: seen.map((hold) => hold.id) };
  const answer = await askWorker(session, { method: 'POST', path: `${path}/release`, body }, releasedAnswer);
  const { released, left } = answer;
  session.output.result(answer, [
    `Released: ${id}.`,
    ...linesOf(released),
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
  const run = await seenRun(session, id, {});
  const { commit, version } = run;
  if (dryRun) {
    session.output.result({ dryRun, run: id, commit, version }, [
      'Would let through a freeze:',
      ...headOf(run),
    ]);
    return 'passed';
  }
  const answer = await post(session, `runs/${encodeURIComponent(id)}/override-freeze`, {
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
