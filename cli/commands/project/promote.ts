import { Failure } from '../../../lib/core/errors/failure.ts';
import type { Outcome } from '../../../lib/core/outcomes/outcome.ts';
import { commandAction, type AddCommand, definePlatformCommand } from '../../kit/command.ts';
import { olderOption, type OlderOptions, orderGuard } from '../../publish/order-guard.ts';
import { printReport } from '../../publish/print-report.ts';
import type { CommonOptions, Session } from '../../kit/session.ts';
import { shellWord } from '../../../lib/core/text/shell-word.ts';
import { withProgramName } from '../../terminal/program-name.ts';

interface Options extends CommonOptions, OlderOptions {
  readonly version?: string;
  readonly from?: string;
  readonly to?: string;
  readonly lane?: string;
  readonly reason?: string;
  readonly anyVersion?: boolean;
  readonly dryRun?: boolean;
}

/** `millrace promote`: promotes a version from one environment to another, or through a lane of the worker. */
export const addPromote: AddCommand = (program, shell) => {
  definePlatformCommand(program, 'promote', 'Promote a version from one environment to another.')
    .option('--version <name>', 'version name; without it, `--lane LANE --dry-run` lists the versions')
    .option('--from <environment>', 'source environment')
    .option('--to <environment>', 'target environment')
    .option(
      '--lane <lane>',
      'make the version live through this lane of the worker, forward or back: it passes the gates and is verified',
    )
    .option('--reason <text>', 'reason of the promotion (with --lane)')
    .option('--any-version', "promote it even if the lane's `versions` exclude it (with --lane)")
    .addOption(olderOption())
    .option('--dry-run', 'show what would happen, without changing anything')
    .action(
      commandAction<Options>(shell, async (session, options) => {
        const { lane, from, to } = options;
        const throughLane = lane !== undefined && from === undefined && to === undefined;
        if (throughLane && (options.version !== undefined || options.dryRun === true))
          return promoteThroughLane(session, lane, options);
        if (options.version === undefined) throw versionMissing(lane);
        if (lane === undefined && from !== undefined && to !== undefined)
          return promoteDirectly(session, { ...options, version: options.version, from, to });
        const missing = from === undefined ? '--from' : '--to';
        throw new Failure('usage', {
          message:
            lane === undefined ? `${missing} is missing.` : '--lane cannot be combined with --from or --to.',
          where: { input: lane === undefined ? missing : '--lane' },
          hint: 'Give --from and --to, or only --lane. Use --lane where a worker promotes to the environment.',
        });
      }),
    );
};

function versionMissing(lane: string | undefined): Failure {
  return new Failure('usage', {
    message: 'The version to promote is missing.',
    where: { input: '--version' },
    hint:
      lane === undefined
        ? 'Give --version with the name of a version of the source.'
        : `Give --version. \`millrace promote --lane ${shellWord(lane)} --dry-run\` lists the versions that can be promoted.`,
  });
}

async function promoteDirectly(
  session: Session,
  options: Options & { readonly version: string; readonly from: string; readonly to: string },
): Promise<Outcome> {
  const { version, from, to, older, dryRun = false } = options;
  const { promote } = await import('../../../flows/promote/promote.ts');
  const { readStateBefore } = await import('../../../flows/promote/state-before.ts');
  const { reportOfPromotion } = await import('../../../flows/promote/report.ts');
  const guard = await orderGuard(session, to, { older });
  const { promoted, before } = await session.withPlatform(async (context) => ({
    before: await readStateBefore({ version, from, to }, context),
    promoted: await promote({ version, from, to, dryRun, guard }, context),
  }));
  await printReport(session, { ...promoted, before }, reportOfPromotion(promoted, before), options);
  return promoted.outcome;
}

async function promoteThroughLane(
  session: Session,
  lane: string,
  { version, reason, anyVersion = false, older, dryRun = false }: Options,
): Promise<Outcome> {
  if (older !== undefined)
    throw new Failure('usage', {
      message: '--older cannot be combined with --lane: a lane goes back if an operator asks for it.',
      where: { input: '--older' },
      hint: 'Remove --older.',
    });
  const { actOnLane } = await import('../../operate/act-on-lane.ts');
  const { promotionActionAnswer } = await import('../../operate/operator-answers.ts');
  return actOnLane(session, {
    lane,
    path: 'promote',
    version,
    options: { anyVersion },
    query: anyVersion ? { anyVersion: 'true' } : {},
    reason,
    missingReason: {
      message: 'A promotion through a lane needs a reason.',
      hint: 'Add --reason with a text. The audit shows it.',
    },
    dryRun,
    answer: promotionActionAnswer,
    describePlan: (id) => `Would promote ${version ?? 'a version'} through ${id}.`,
    describe: ({ promotion }, id) =>
      withProgramName(
        `Requested ${version ?? ''} in ${id}: promotion ${promotion}. Follow it with \`millrace promotions ${promotion}\`.`,
        session.io,
      ),
  });
}
