import { Option } from 'commander';
import { commandAction, type AddCommand, definePlatformCommand } from '../../kit/command.ts';
import type { CommonOptions } from '../../kit/session.ts';

interface Options extends CommonOptions {
  readonly environment?: readonly string[];
  readonly failOn: 'unknown' | 'behind' | 'never';
}

/** `millrace drift`: compares the enabled versions of each environment with the tags in git. */
export const addDrift: AddCommand = (program, shell) => {
  definePlatformCommand(
    program,
    'drift',
    'Compare the enabled versions of the environments with the tags in git.',
  )
    .option(
      '--environment <names...>',
      'environments to compare (default: the environments of millrace.yaml, otherwise all)',
    )
    .addOption(
      new Option('--fail-on <condition>', 'condition for exit code 1')
        .choices(['unknown', 'behind', 'never'])
        .default('unknown'),
    )
    .action(
      commandAction<Options>(shell, async (session, { environment = [], failOn }) => {
        const { drift } = await import('../../../flows/drift/drift.ts');
        const { reportOfDrift } = await import('../../../flows/drift/report.ts');
        const { terminalLines } = await import('../../../lib/report/terminal.ts');
        const { release, environments } = await session.projectConfig();
        const { repository } = await session.repository();
        const report = await session.withPlatform((context) =>
          drift({ repository, release, environments, only: environment, failOn }, context),
        );
        session.output.result(report, terminalLines(reportOfDrift(report, release.tag)));
        return report.outcome;
      }),
    );
};
