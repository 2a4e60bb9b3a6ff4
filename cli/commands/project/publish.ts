import { numberOf } from '../../../lib/core/number-of.ts';
import type { PublishReport } from '../../../flows/publish/publish.ts';
import { act, type AddCommand, definePlatformCommand } from '../../kit/command.ts';
import { manifestLines } from '../../kit/manifest-lines.ts';
import { publication, remarkUncommitted } from '../../kit/publication.ts';
import { releaseEnvironment, releaseTarget } from '../../kit/release-target.ts';
import type { CommonOptions } from '../../kit/session.ts';

interface Options extends CommonOptions {
  readonly version?: string;
  readonly tag?: string;
  readonly commit?: string;
  readonly environment?: string;
  readonly branch?: string;
  readonly connectors: boolean;
  readonly dryRun?: boolean;
}

/** `millrace publish`: the project artifact of a commit, under a version. */
export const addPublish: AddCommand = (program, shell) => {
  definePlatformCommand(program, 'publish', 'Publish the project as an artifact version.')
    .option('--version <name>', 'version name')
    .option('--tag <tag>', 'release this git tag; the version comes from release.version in millrace.yaml')
    .option('--commit <ref>', 'the commit (default: the tag’s, else HEAD)')
    .option('--environment <name>', 'where to (default: release.environment)')
    .option('--branch <name>', 'branch that the platform notes')
    .option('--no-connectors', 'leave the account’s connectors out')
    .option('--dry-run', 'show what would be sent, send nothing')
    .action(
      act<Options>(shell, async (session, options) => {
        const config = await session.projectConfig();
        const { repository, directory } = await session.repository();
        const request = {
          repository,
          directory,
          ...(await releaseTarget(options, config, repository)),
          environment: releaseEnvironment(options.environment, config),
          branch: options.branch,
          ...config.files,
          connectors: options.connectors,
          dryRun: options.dryRun ?? false,
        };
        const report = await publication(session, request.dryRun, {
          publish: async (context) =>
            (await import('../../../flows/publish/publish.ts')).publish(request, context),
          plan: async () =>
            (await import('../../../flows/publish/plan-publication.ts')).planPublish(request, session.flow),
        });
        await remarkUncommitted(session, request);
        session.output.result(report, linesOf(report));
        return report.outcome;
      }),
    );
};

function linesOf({ outcome, version, environment, commit, files, ignored, dryRun }: PublishReport): string[] {
  const what = `${version} to ${environment}, ${numberOf(files.length, 'file')} of ${commit.slice(0, 12)}`;
  // Whether it holds these very files the platform does not say: only its commit is known.
  if (outcome === 'already-done')
    return [`Already there: ${version} in ${environment}, published from ${commit.slice(0, 12)}.`];
  return [...manifestLines(files, ignored), dryRun ? `Would publish ${what}.` : `Published ${what}.`];
}
