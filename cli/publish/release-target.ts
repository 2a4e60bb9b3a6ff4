import type { ProjectConfig } from '../../lib/config/project/project-schema.ts';
import { releaseVersion } from '../../lib/config/project/release-version.ts';
import type { Repository } from '../../lib/git/repository.ts';
import { commitSnapshot } from '../../lib/git/snapshot.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import { inRepository } from '../../lib/git/in-repository.ts';
import type { CommonOptions, Session } from '../kit/session.ts';
import { settingsOf } from '../kit/git/settings-of-snapshot.ts';

export interface TargetOptions {
  readonly version?: string | undefined;
  readonly tag?: string | undefined;
  readonly commit?: string | undefined;
}

/** The commit to publish, and the settings of the project at this commit. */
export interface ReleaseSource {
  readonly repository: Repository;
  /** The project's folder in the repository. */
  readonly directory: string;
  readonly commit: string;
  readonly config: ProjectConfig;
}

/**
 * Resolves the commit to publish: the given commit, else the commit of the tag, else HEAD. Returns it with the
 * `millrace.yaml` of that commit (or of `--config`), because changes that are only on disk do not belong to a
 * release. Throws Failure 'git-failed', 'config-invalid', and 'usage' if the tag is another commit than `--commit`.
 */
export async function releaseSource(
  session: Session,
  { tag, commit: commitOption, config: named }: TargetOptions & Pick<CommonOptions, 'config'>,
): Promise<ReleaseSource> {
  const { repository, directory } = await session.repository();
  const { signal } = session.flow;
  const commit = await repository.resolveCommit(
    commitOption ?? (tag === undefined ? 'HEAD' : `refs/tags/${tag}`),
  );
  if (commitOption !== undefined && tag !== undefined) await refuseOtherTag(repository, { tag, commit });
  if (named !== undefined) return { repository, directory, commit, config: await session.projectConfig() };
  const head = await repository.resolveCommit('HEAD').catch(() => undefined);
  const { config, notes } = await settingsOf(
    commitSnapshot(repository, commit, signal),
    {
      file: inRepository(directory, 'millrace.yaml'),
      onDisk: async () => session.projectConfig(),
      isCurrent: commit === head,
    },
    session,
  );
  for (const note of notes) session.output.logger.warn(note);
  session.useConfig(config);
  return { repository, directory, commit, config };
}

/** A version that is named after a tag must not have the content of another commit. A clone may lack the tag. */
async function refuseOtherTag(
  repository: Repository,
  { tag, commit }: { readonly tag: string; readonly commit: string },
): Promise<void> {
  const ofTag = await repository.resolveCommit(`refs/tags/${tag}`).catch(() => undefined);
  if (ofTag === undefined || ofTag === commit) return;
  throw new Failure('usage', {
    message: `The tag "${tag}" is the commit ${ofTag.slice(0, 12)}, but --commit names ${commit.slice(0, 12)}.`,
    where: { input: '--commit' },
    hint: 'Remove --commit to publish the commit of the tag. To publish another commit under this version, give --version instead of --tag.',
  });
}

/**
 * The version to publish: as given, or derived from the tag by `release` in millrace.yaml. Throws Failure 'usage'
 * if there is neither a version nor a release tag.
 */
export function releaseTarget(
  { version, tag }: TargetOptions,
  { config: { release }, commit }: Pick<ReleaseSource, 'config' | 'commit'>,
): { readonly version: string; readonly commit: string } {
  const name = version ?? (tag === undefined ? undefined : releaseVersion(release, tag, commit));
  if (name !== undefined) return { version: name, commit };
  throw new Failure('usage', {
    message:
      tag === undefined
        ? 'The version is missing.'
        : `The tag "${tag}" is not a release tag: release.tag in millrace.yaml is "${release.tag}".`,
    where: { input: tag === undefined ? '--version' : '--tag' },
    hint: 'Give --version, or --tag with a tag that matches release.tag in millrace.yaml.',
  });
}

/** The environment to publish to. Throws Failure 'usage' if none is configured. */
export function releaseEnvironment(
  flag: string | undefined,
  { release, environments }: ProjectConfig,
): string {
  const environment = flag ?? release.environment ?? environments[0];
  if (environment !== undefined) return environment;
  throw new Failure('usage', {
    message: 'The environment to publish to is missing.',
    where: { input: '--environment' },
    hint: 'Give --environment, or set release.environment in millrace.yaml.',
  });
}

/** The prefix of the shared pipelines. Throws Failure 'usage' if none is configured. */
export function sharedPrefix(flag: string | undefined, { release }: ProjectConfig): string {
  const prefix = flag ?? release.shared?.prefix;
  if (prefix !== undefined) return prefix;
  throw new Failure('usage', {
    message: 'The prefix of the shared pipelines is missing.',
    where: { input: '--prefix' },
    hint: 'Give --prefix, or set release.shared.prefix in millrace.yaml.',
  });
}
