import { commandAction, type AddCommand, definePlatformCommand } from '../../kit/command.ts';
import { olderOption, type OlderOptions, orderGuard } from '../../publish/order-guard.ts';
import { printReport } from '../../publish/print-report.ts';
import { publishOrPlan } from '../../publish/publish-or-plan.ts';
import { releaseEnvironment, releaseSource, releaseTarget } from '../../publish/release-target.ts';
import type { CommonOptions } from '../../kit/session.ts';

interface Options extends CommonOptions, OlderOptions {
  readonly version?: string;
  readonly tag?: string;
  readonly commit?: string;
  readonly environment?: string;
  readonly branch?: string;
  readonly connectors: boolean;
  readonly dryRun?: boolean;
}

/** `millrace publish`: publishes the project artifact of a commit as a version. */
export const addPublish: AddCommand = (program, shell) => {
  definePlatformCommand(program, 'publish', 'Publish the project as an artifact version.')
    .option('--version <name>', 'version name')
    .option('--tag <tag>', 'git tag to release; release.version in millrace.yaml derives the version from it')
    .option('--commit <ref>', 'commit to publish (default: the commit of --tag, otherwise HEAD)')
    .option('--environment <name>', 'environment to publish to (default: release.environment)')
    .option('--branch <name>', 'branch name that the platform stores with the version')
    .option('--no-connectors', 'exclude the connectors of the account')
    .addOption(olderOption())
    .option('--dry-run', 'show what would be sent, without sending it')
    .action(
      commandAction<Options>(shell, async (session, options) => {
        const source = await releaseSource(session, options);
        const { repository, directory, config } = source;
        const environment = releaseEnvironment(options.environment, config);
        const request = {
          repository,
          directory,
          ...releaseTarget(options, source),
          environment,
          branch: options.branch,
          ...config.files,
          callFolder: config.callFolder,
          connectors: options.connectors,
          dryRun: options.dryRun ?? false,
          guard: await orderGuard(session, environment, options),
        };
        const { published, facts } = await publishOrPlan(session, request, {
          publish: async (context) =>
            (await import('../../../flows/publish/publish.ts')).publish(request, context),
          plan: async () =>
            (await import('../../../flows/publish/plan-publication.ts')).planPublish(request, session.flow),
        });
        const { reportOfPublish } = await import('../../../flows/publish/report.ts');
        await printReport(session, published, reportOfPublish(published, facts), options);
        return published.outcome;
      }),
    );
};
