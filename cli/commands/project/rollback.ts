import type { RollbackReport } from '../../../flows/rollback/rollback.ts';
import type { SharedRollbackReport } from '../../../flows/rollback/roll-back-shared.ts';
import { Failure } from '../../../lib/core/failure.ts';
import type { Outcome } from '../../../lib/core/outcome.ts';
import { act, type AddCommand, definePlatformCommand } from '../../kit/command.ts';
import type { CommonOptions, Session } from '../../kit/session.ts';

interface Options extends CommonOptions {
  readonly environment?: string;
  readonly lane?: string;
  readonly shared?: boolean;
  readonly prefix?: string;
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
    .option('--shared', 'roll the shared pipelines of a prefix back, for all who call them')
    .option('--prefix <name>', 'their prefix, with --shared (default: release.shared.prefix)')
    .option('--reason <text>', 'why, with --lane')
    .option('--version <name>', 'the version that is to go; makes a second call harmless')
    .option('--dry-run', 'say what would happen, change nothing')
    .action(
      act<Options>(shell, async (session, options) => {
        const { environment, lane, shared = false, prefix } = options;
        const targets = [environment !== undefined, lane !== undefined, shared];
        if (targets.filter(Boolean).length !== 1) {
          throw new Failure('usage', {
            message:
              'Say what is rolled back: one environment, one lane of the worker, or the shared pipelines.',
            where: { input: '--environment' },
            hint: 'Give one of --environment, --lane and --shared. Where a worker promotes to the environment, use --lane: a version that is rolled back without the worker comes again.',
          });
        }
        if (prefix !== undefined && !shared) {
          throw new Failure('usage', {
            message: 'Only shared pipelines have a prefix.',
            where: { input: '--prefix' },
            hint: 'Add --shared, or leave --prefix out.',
          });
        }
        if (environment !== undefined) return rollBackEnvironment(session, environment, options);
        return lane === undefined
          ? rollBackSharedVersion(session, options)
          : rollBackLane(session, lane, options);
      }),
    );
};

async function rollBackEnvironment(
  session: Session,
  environment: string,
  { version, dryRun = false }: Options,
): Promise<Outcome> {
  const { rollback } = await import('../../../flows/rollback/rollback.ts');
  const report = await session.withPlatform((context) => rollback({ environment, version, dryRun }, context));
  const { tellWorker } = await import('../../kit/tell-worker.ts');
  const told = dryRun ? [] : await tellWorker(session, { project: await session.projectId(), environment });
  return printRollback(session, report, told);
}

async function rollBackSharedVersion(
  session: Session,
  { prefix: given, version, dryRun = false }: Options,
): Promise<Outcome> {
  const { sharedPrefix } = await import('../../kit/release-target.ts');
  const { rollBackShared } = await import('../../../flows/rollback/roll-back-shared.ts');
  const prefix = sharedPrefix(given, await session.projectConfig());
  const report = await session.withPlatform((context) =>
    rollBackShared({ prefix, version, dryRun }, context),
  );
  return printRollback(session, report);
}

async function printRollback(
  session: Session,
  report: RollbackReport | SharedRollbackReport,
  toldLanes: readonly string[] = [],
): Promise<Outcome> {
  const { placeOf, describeRollback } = await import('../../../flows/rollback/choose-rollback.ts');
  const { dryRun, outcome } = report;
  session.output.result({ ...report, ...(toldLanes.length === 0 ? {} : { toldLanes }) }, [
    describeRollback(report, { place: placeOf(report), dryRun }),
    ...(toldLanes.length === 0
      ? []
      : [`The worker was told; lanes that promote there: ${toldLanes.join(', ')}.`]),
  ]);
  return outcome;
}

/** The worker waits up to twenty seconds for the platform. */
const rollBackMs = 30_000;

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
  const { lookUpTarget } = await import('../../kit/look-up-target.ts');
  const { askWorker } = await import('../../kit/operator-api.ts');
  const { rolledBackAnswer } = await import('../../kit/operator-answers.ts');
  const id = await lookUpTarget(session, 'lane', lane);
  if (dryRun) {
    session.output.result({ dryRun, lane: id, reason }, [`Would hold and roll back: ${id} (${reason}).`]);
    return 'passed';
  }
  const path = `lanes/${encodeURIComponent(id)}/roll-back`;
  const answer = await askWorker(
    session,
    { method: 'POST', path, body: { reason, version }, timeoutMs: rollBackMs },
    rolledBackAnswer,
  );
  session.output.result(answer, [
    `Disabled ${answer.disabled}; ${answer.live} is live. The lane is on hold until you release it: ${id}.`,
  ]);
  return 'passed';
}
