import { Failure } from '../../model/failure.ts';
import type { Outcome } from '../../model/outcome.ts';
import { act, type AddCommand, definePlatformCommand } from '../command.ts';
import type { CommonOptions, Session } from '../session.ts';

interface Options extends CommonOptions {
  readonly environment?: string;
  readonly lane?: string;
  readonly reason?: string;
  readonly version?: string;
  readonly dryRun?: boolean;
}

/** `millrace rollback`: the version before becomes the live one again. */
export const addRollback: AddCommand = (program, shell) => {
  definePlatformCommand(
    program,
    'rollback',
    'Disable the live version, so that the one before is used again.',
  )
    .option('--environment <name>', 'environment to roll back, on the platform directly')
    .option(
      '--lane <lane>',
      'lane whose target is rolled back, by the worker: it holds the lane and keeps who did it and why',
    )
    .option('--reason <text>', 'why, with --lane')
    .option('--version <name>', 'the version that is to go; makes a second call harmless')
    .option('--dry-run', 'say what would happen, change nothing')
    .action(
      act<Options>(shell, async (session, { environment, lane, ...options }) => {
        if ((environment === undefined) === (lane === undefined)) {
          throw new Failure('usage', {
            message: 'Say either which environment is rolled back, or which lane of the worker.',
            where: { input: '--environment' },
            mend: 'Where a worker promotes to the environment, use --lane: what is rolled back behind its back comes again.',
          });
        }
        return environment === undefined
          ? rollBackLane(session, lane ?? '', options)
          : rollBackEnvironment(session, environment, options);
      }),
    );
};

async function rollBackEnvironment(
  session: Session,
  environment: string,
  { version, dryRun = false }: Options,
): Promise<Outcome> {
  const { rollback } = await import('../../flows/rollback.ts');
  const report = await session.withPlatform((context) => rollback({ environment, version, dryRun }, context));
  const { outcome, disabled, live } = report;
  const done = `${dryRun ? 'Would disable' : 'Disabled'} ${disabled} in ${environment}; ${live} is live.`;
  session.output.result(report, [
    outcome === 'already-done' ? `${disabled} is disabled already; ${live} is live in ${environment}.` : done,
  ]);
  return outcome;
}

async function rollBackLane(
  session: Session,
  lane: string,
  { version, reason, dryRun = false }: Options,
): Promise<Outcome> {
  if (reason === undefined) {
    throw new Failure('usage', {
      message: 'A lane is rolled back for a reason, which everybody reads who looks at it.',
      where: { input: '--reason' },
    });
  }
  const { lookUpTarget } = await import('../look-up-target.ts');
  const { askWorker } = await import('../operator-api.ts');
  const { rolledBackAnswer } = await import('../operator-answers.ts');
  const id = await lookUpTarget(session, 'lane', lane);
  if (dryRun) {
    session.output.result({ dryRun, lane: id, reason }, [`Would hold and roll back: ${id} (${reason}).`]);
    return 'passed';
  }
  const path = `lanes/${encodeURIComponent(id)}/roll-back`;
  const answer = await askWorker(
    session,
    { method: 'POST', path, body: { reason, version } },
    rolledBackAnswer,
  );
  session.output.result(answer, [
    `Disabled ${answer.disabled}; ${answer.live} is live. The lane is on hold until you release it: ${id}.`,
  ]);
  return 'passed';
}
