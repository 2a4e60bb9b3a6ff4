import { InvalidArgumentError } from 'commander';
import { commandAction, type AddCommand, defineCommand } from '../../kit/command.ts';
import { readInput } from '../../kit/read-input.ts';
import type { CommonOptions } from '../../kit/session.ts';

interface Options extends CommonOptions {
  readonly plan?: boolean;
  readonly dryRun?: boolean;
}

/** `millrace provision FILE`: creates a project with its connections, environments and repository from a YAML file. */
export const addProvision: AddCommand = (program, shell) => {
  defineCommand(
    program,
    'provision',
    'Create what a project needs from a file: connections, environments, repository.',
  )
    .argument('<file>', 'YAML file that describes the project; - for standard input')
    .option('--base-url <url>', 'address of the platform (default: MILLRACE_BASE_URL)')
    .option('--project <id>', 'project id, if several projects have the same name', parseProjectId)
    .option('--plan', 'show what would be created, without changing anything')
    .option('--dry-run', 'same as --plan')
    .action(
      commandAction<Options>(
        shell,
        async (session, { project, plan = false, dryRun = false }, name = '-') => {
          const { readProvision } = await import('../../../lib/config/project/read-provision.ts');
          const { provision } = await import('../../../flows/provision/provision.ts');
          const { provisionLines } = await import('../../../flows/provision/provision-lines.ts');
          const { output, flow } = session;
          // The file is read first, so that its errors are reported even without a token.
          const file = readProvision(await readInput(session, 'FILE', name), name);
          const planOnly = plan || dryRun;
          const report = await session.withClient((client) =>
            provision({ file, projectId: project, planOnly }, { ...flow, client }),
          );
          for (const warning of report.warnings) output.logger.warn(warning);
          output.result(report, [
            ...provisionLines(report.parts, report.applied),
            ...(report.projectId === undefined ? [] : [`Project id, for millrace.yaml: ${report.projectId}`]),
          ]);
          return report.outcome;
        },
      ),
    );
};

function parseProjectId(text: string): string {
  if (/^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)) return text;
  throw new InvalidArgumentError('It must be a project id (a UUID).');
}
