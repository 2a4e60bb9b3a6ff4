import { Failure } from '../../model/failure.ts';
import { act, type AddCommand, define } from '../command.ts';
import type { CommonOptions, Session } from '../session.ts';
import { seenRun } from './approve.ts';
import { headOf } from './runs.ts';

interface Options extends CommonOptions {
  readonly overrideFreeze?: string;
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
        return overrideFreeze === undefined
          ? releaseLane(session, lane ?? '', options)
          : override(session, overrideFreeze, options);
      }),
    );
};

async function releaseLane(
  session: Session,
  lane: string,
  { reason, dryRun = false }: Options,
): Promise<'passed'> {
  const { lookUpTarget } = await import('../look-up-target.ts');
  const id = await lookUpTarget(session, 'lane', lane);
  if (dryRun) {
    session.output.result({ dryRun, lane: id }, [`Would release: ${id}.`]);
    return 'passed';
  }
  const path = `lanes/${encodeURIComponent(id)}/release`;
  session.output.result(await post(session, path, { reason }), [`Released: ${id}.`]);
  return 'passed';
}

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
  const { askWorker } = await import('../operator-api.ts');
  const { anyAnswer } = await import('../operator-answers.ts');
  return askWorker(session, { method: 'POST', path, body }, anyAnswer);
}
