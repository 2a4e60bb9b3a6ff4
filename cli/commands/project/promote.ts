import { commandAction, type AddCommand, definePlatformCommand } from '../../kit/command.ts';
import type { CommonOptions } from '../../kit/session.ts';

interface Options extends CommonOptions {
  readonly version: string;
  readonly from: string;
  readonly to: string;
  readonly dryRun?: boolean;
}

/** `millrace promote`: promotes a version from one environment to another. */
export const addPromote: AddCommand = (program, shell) => {
  definePlatformCommand(program, 'promote', 'Promote a version from one environment to another.')
    .requiredOption('--version <name>', 'version name')
    .requiredOption('--from <environment>', 'source environment')
    .requiredOption('--to <environment>', 'target environment')
    .option('--dry-run', 'show what would happen, without changing anything')
    .action(
      commandAction<Options>(shell, async (session, { version, from, to, dryRun = false }) => {
        const { promote, describeAlreadyThere, describePromotion } =
          await import('../../../flows/promote/promote.ts');
        const report = await session.withPlatform((context) =>
          promote({ version, from, to, dryRun }, context),
        );
        const done = dryRun ? `Would promote ${version} from ${from} to ${to}.` : describePromotion(report);
        session.output.result(report, [
          report.outcome === 'already-done' ? describeAlreadyThere(report) : done,
        ]);
        return report.outcome;
      }),
    );
};
