import { sharedPipelinesPath } from '../../../lib/pipelines/model/shared-pipelines.ts';
import { commandAction, type AddCommand, definePlatformCommand } from '../../kit/command.ts';
import { parseCount } from '../../terminal/parse-count.ts';
import { olderOption, type OlderOptions, orderGuard } from '../../publish/order-guard.ts';
import { printReport } from '../../publish/print-report.ts';
import { publishOrPlan } from '../../publish/publish-or-plan.ts';
import { releaseSource, releaseTarget, sharedPrefix } from '../../publish/release-target.ts';
import type { CommonOptions } from '../../kit/session.ts';

interface Options extends CommonOptions, OlderOptions {
  readonly prefix?: string;
  readonly version?: string;
  readonly tag?: string;
  readonly commit?: string;
  readonly branch?: string;
  readonly keepEnabled?: number;
  readonly dryRun?: boolean;
}

/** `millrace publish-shared`: publishes the shared pipelines of a commit as an immutable version. */
export const addPublishShared: AddCommand = (program, shell) => {
  definePlatformCommand(
    program,
    'publish-shared',
    'Publish the shared pipelines of the project as a version.',
  )
    .option('--prefix <name>', 'prefix of the shared pipeline ids (default: release.shared.prefix)')
    .option('--version <name>', 'version name')
    .option('--tag <tag>', 'git tag to release; release.version in millrace.yaml derives the version from it')
    .option('--commit <ref>', 'commit to publish (default: the commit of --tag, otherwise HEAD)')
    .option('--branch <name>', 'branch name that the platform stores with the version')
    .option(
      '--keep-enabled <number>',
      'after publishing, disable all but this many newest versions',
      parseCount,
    )
    .addOption(olderOption())
    .option('--dry-run', 'show what would be sent, without sending it')
    .action(
      commandAction<Options>(shell, async (session, options) => {
        const source = await releaseSource(session, options);
        const { repository, directory, config } = source;
        const prefix = sharedPrefix(options.prefix, config);
        const request = {
          repository,
          directory,
          ...releaseTarget(options, source),
          prefix,
          branch: options.branch,
          ...config.files,
          callFolder: config.callFolder,
          configDir: config.configDir,
          keepEnabled: options.keepEnabled,
          dryRun: options.dryRun ?? false,
          guard: await orderGuard(session, undefined, options),
        };
        const include = [...request.include, sharedPipelinesPath(config.configDir)];
        const { published, facts } = await publishOrPlan(
          session,
          { ...request, include },
          {
            publish: async (context) =>
              (await import('../../../flows/publish/publish-shared.ts')).publishShared(request, context),
            plan: async () =>
              (await import('../../../flows/publish/plan-publication.ts')).planPublishShared(
                request,
                session.flow,
              ),
          },
        );
        const { reportOfPublishShared } = await import('../../../flows/publish/report.ts');
        const report = reportOfPublishShared(published, { ...facts, configDir: config.configDir });
        await printReport(session, published, report, options);
        return published.outcome;
      }),
    );
};
