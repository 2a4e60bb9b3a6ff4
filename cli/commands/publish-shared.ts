import type { PublishSharedReport } from '../../flows/publish-shared.ts';
import { Failure } from '../../model/failure.ts';
import { act, type AddCommand, definePlatformCommand } from '../command.ts';
import { manifestLines } from '../manifest-lines.ts';
import { releaseTarget } from '../release-target.ts';
import type { CommonOptions } from '../session.ts';

interface Options extends CommonOptions {
  readonly prefix?: string;
  readonly version?: string;
  readonly tag?: string;
  readonly commit?: string;
  readonly branch?: string;
  readonly dryRun?: boolean;
}

/** `millrace publish-shared`: the shared pipelines of a commit, under an immutable version. */
export const addPublishShared: AddCommand = (program, shell) => {
  definePlatformCommand(
    program,
    'publish-shared',
    'Publish the shared pipelines of the project as a version.',
  )
    .option('--prefix <name>', 'shared pipeline id prefix (default: release.shared.prefix)')
    .option('--version <name>', 'version name')
    .option('--tag <tag>', 'release this git tag; the version comes from release.version in millrace.yaml')
    .option('--commit <ref>', 'the commit (default: the tag’s, else HEAD)')
    .option('--branch <name>', 'branch that the platform notes')
    .option('--dry-run', 'show what would be sent, send nothing')
    .action(
      act<Options>(shell, async (session, options) => {
        const config = await session.projectConfig();
        const { repository, directory } = await session.repository();
        const { publishShared } = await import('../../flows/publish-shared.ts');
        const prefix = options.prefix ?? config.release.shared?.prefix;
        if (prefix === undefined) {
          throw new Failure('usage', {
            message: 'The prefix of the shared pipelines is not given.',
            where: { input: '--prefix' },
            mend: 'Give --prefix, or set release.shared.prefix in millrace.yaml.',
          });
        }
        const request = {
          repository,
          directory,
          ...(await releaseTarget(options, config, repository)),
          prefix,
          branch: options.branch,
          ...config.files,
          configDir: config.configDir,
          dryRun: options.dryRun ?? false,
        };
        const report = await session.withPlatform((context) => publishShared(request, context));
        session.output.result(report, linesOf(report));
        return report.outcome;
      }),
    );
};

function linesOf({
  outcome,
  prefix,
  version,
  commit,
  sharedPipelines,
  files,
  ignored,
  dryRun,
}: PublishSharedReport): string[] {
  const what = `${prefix} ${version} with ${sharedPipelines.length} shared pipelines, of ${commit.slice(0, 12)}`;
  if (outcome === 'already-done')
    return [`Already there: ${prefix} ${version}, published from ${commit.slice(0, 12)}.`];
  return [...manifestLines(files, ignored), dryRun ? `Would publish ${what}.` : `Published ${what}.`];
}
