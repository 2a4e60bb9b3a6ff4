import type { RollbackReport } from '../../../flows/rollback/rollback.ts';
import type { SharedRollbackReport } from '../../../flows/rollback/roll-back-shared.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import type { Outcome } from '../../../lib/core/outcomes/outcome.ts';
import { commandAction, type AddCommand, definePlatformCommand } from '../../kit/command.ts';
import type { CommonOptions, Session } from '../../kit/session.ts';

interface Options extends CommonOptions {
  readonly environment?: string;
  readonly lane?: string;
  readonly shared?: boolean;
  readonly prefix?: string;
  readonly reason?: string;
  readonly version?: string;
  readonly to?: string;
  readonly dryRun?: boolean;
}

/** `millrace rollback`: disables the live version, so that the previous one is live again. */
export const addRollback: AddCommand = (program, shell) => {
  definePlatformCommand(
    program,
    'rollback',
    'Disable the live version, so that the previous version is live again.',
  )
    .option('--environment <name>', 'roll back this environment, directly on the platform')
    .option(
      '--lane <lane>',
      'roll back the target of this lane through the worker, which holds the lane and records who did it and why',
    )
    .option('--shared', 'roll back the shared pipelines of a prefix, for all callers')
    .option('--prefix <name>', 'prefix of the shared pipelines (default: release.shared.prefix)')
    .option('--reason <text>', 'reason of the rollback (with --lane)')
    .option(
      '--version <name>',
      'version to disable; nothing changes if it is disabled already, so that the call can be repeated',
    )
    .option(
      '--to <version>',
      'earlier version to go back to (default: the newest one, with --lane the newest verified)',
    )
    .option('--dry-run', 'show the versions to go back to and what would happen, without changing anything')
    .action(
      commandAction<Options>(shell, async (session, options) => {
        const { environment, lane, shared = false, prefix } = options;
        const targets = {
          '--environment': environment !== undefined,
          '--lane': lane !== undefined,
          '--shared': shared,
        };
        const named = Object.entries(targets).flatMap(([name, isGiven]) => (isGiven ? [name] : []));
        if (named.length !== 1) {
          throw new Failure('usage', {
            message:
              named.length === 0
                ? 'What to roll back is missing: give --environment, --lane or --shared.'
                : `Only one of these can be given: ${named.join(', ')}.`,
            where: { input: named.at(-1) ?? '--environment' },
            hint: 'If a worker promotes to the environment, give --lane: otherwise the worker may promote the same version again. If not, give --environment, or --shared for shared pipelines.',
          });
        }
        if (prefix !== undefined && !shared) {
          throw new Failure('usage', {
            message: '--prefix applies only to shared pipelines, and --shared is not given.',
            where: { input: '--prefix' },
            hint: 'Add --shared, or remove --prefix.',
          });
        }
        if (options.to !== undefined && shared) {
          throw new Failure('usage', {
            message: '--to cannot be combined with --shared.',
            where: { input: '--to' },
            hint: 'Remove --to: each roll-back of shared pipelines goes back one version.',
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
  { version, to, dryRun = false }: Options,
): Promise<Outcome> {
  const { rollback } = await import('../../../flows/rollback/rollback.ts');
  const request = { environment, version, to, dryRun };
  const report = await session.withPlatform((context) => rollback(request, context));
  const { refreshWorkerLanes } = await import('../../operate/refresh-worker-lanes.ts');
  const lanes = dryRun
    ? []
    : await refreshWorkerLanes(session, { project: await session.projectId(), environment });
  return printRollback(session, report, lanes);
}

async function rollBackSharedVersion(
  session: Session,
  { prefix: prefixOption, version, dryRun = false }: Options,
): Promise<Outcome> {
  const { sharedPrefix } = await import('../../publish/release-target.ts');
  const { rollBackShared } = await import('../../../flows/rollback/roll-back-shared.ts');
  const prefix = sharedPrefix(prefixOption, await session.projectConfig());
  const report = await session.withPlatform((context) =>
    rollBackShared({ prefix, version, dryRun }, context),
  );
  return printRollback(session, report);
}

async function printRollback(
  session: Session,
  rolledBack: RollbackReport | SharedRollbackReport,
  refreshedLanes: readonly string[] = [],
): Promise<Outcome> {
  const { reportOfRollback } = await import('../../../flows/rollback/report.ts');
  const { terminalLines } = await import('../../../lib/report/terminal.ts');
  const isRefreshed = refreshedLanes.length > 0;
  const notes = isRefreshed
    ? [`The worker refreshes the lanes that promote there: ${refreshedLanes.join(', ')}.`]
    : [];
  session.output.result(
    { ...rolledBack, ...(isRefreshed ? { refreshedLanes } : {}) },
    terminalLines(reportOfRollback(rolledBack, notes)),
  );
  return rolledBack.outcome;
}

async function rollBackLane(
  session: Session,
  lane: string,
  { version, to, reason, dryRun = false }: Options,
): Promise<Outcome> {
  const { actOnLane } = await import('../../operate/act-on-lane.ts');
  const { rolledBackAnswer } = await import('../../operate/operator-answers.ts');
  return actOnLane(session, {
    lane,
    path: 'roll-back',
    version,
    options: to === undefined ? {} : { to },
    query: to === undefined ? {} : { to },
    reason,
    missingReason: {
      message: 'A rollback of a lane needs a reason.',
      hint: 'Add --reason with a text. The worker shows it to everyone who looks at the lane.',
    },
    dryRun,
    answer: rolledBackAnswer,
    describePlan: (id) => `Would hold and roll back: ${id}.`,
    describe: ({ alsoDisabled, disabled, live }, id) =>
      `Disabled ${[...(alsoDisabled ?? []), disabled].join(', ')}; ${live} is live. The lane is on hold until you resume it: ${id}.`,
  });
}
