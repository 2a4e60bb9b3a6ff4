import { act, type AddCommand, definePlatformCommand } from '../command.ts';
import type { CommonOptions } from '../session.ts';

interface Options extends CommonOptions {
  readonly environment: string;
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
    .requiredOption('--environment <name>', 'environment to roll back')
    .option('--version <name>', 'the version that is to go; makes a second call harmless')
    .option('--dry-run', 'say what would happen, change nothing')
    .action(
      act<Options>(shell, async (session, { environment, version, dryRun = false }) => {
        const { rollback } = await import('../../flows/rollback.ts');
        const report = await session.withPlatform((context) =>
          rollback({ environment, version, dryRun }, context),
        );
        const { outcome, disabled, live } = report;
        const done = `${dryRun ? 'Would disable' : 'Disabled'} ${disabled} in ${environment}; ${live} is live.`;
        session.output.result(report, [
          outcome === 'already-done'
            ? `${disabled} is disabled already; ${live} is live in ${environment}.`
            : done,
        ]);
        return outcome;
      }),
    );
};
