import type { ProjectConfig } from '../../lib/config/project-schema.ts';
import { releaseVersion } from '../../lib/config/release-version.ts';
import type { Repository } from '../../lib/git/repository.ts';
import { Failure } from '../../lib/core/failure.ts';

export interface TargetOptions {
  readonly version?: string | undefined;
  readonly tag?: string | undefined;
  readonly commit?: string | undefined;
}

/**
 * The version and the commit to publish. The version: as given, or derived from the tag by `release` in millrace.yaml.
 * The commit: as given, or the tag's, or HEAD.
 * Throws Failure 'usage' without a version and a release tag.
 */
export async function releaseTarget(
  { version, tag, commit }: TargetOptions,
  { release }: ProjectConfig,
  repository: Repository,
): Promise<{ readonly version: string; readonly commit: string }> {
  const ref = commit ?? (tag === undefined ? 'HEAD' : `refs/tags/${tag}`);
  const id = await repository.resolveCommit(ref);
  const name = version ?? (tag === undefined ? undefined : releaseVersion(release, tag, id));
  if (name !== undefined) return { version: name, commit: id };
  throw new Failure('usage', {
    message:
      tag === undefined
        ? 'The version is missing.'
        : `The tag "${tag}" is not a release tag: release.tag in millrace.yaml is "${release.tag}".`,
    where: { input: tag === undefined ? '--version' : '--tag' },
    hint: 'Give --version, or --tag with a tag that matches release.tag in millrace.yaml.',
  });
}

/** The environment to publish to. Throws Failure 'usage' where none is configured. */
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

/** The prefix of the shared pipelines. Throws Failure 'usage' where none is configured. */
export function sharedPrefix(flag: string | undefined, { release }: ProjectConfig): string {
  const prefix = flag ?? release.shared?.prefix;
  if (prefix !== undefined) return prefix;
  throw new Failure('usage', {
    message: 'The prefix of the shared pipelines is missing.',
    where: { input: '--prefix' },
    hint: 'Give --prefix, or set release.shared.prefix in millrace.yaml.',
  });
}
