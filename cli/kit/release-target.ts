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
 * The version and the commit of a publish: the version as given, or made from the tag by `release` in
 * millrace.yaml; the commit as given, or the tag's, or HEAD.
 * Throws Failure 'usage' where neither version nor tag says what it is to be called.
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
        ? 'The version is not given.'
        : `The tag "${tag}" is no release tag: release.tag in millrace.yaml is "${release.tag}".`,
    where: { input: tag === undefined ? '--version' : '--tag' },
    hint: 'Give --version, or --tag with a tag that fits release.tag in millrace.yaml.',
  });
}

/** The environment of a publish. Throws Failure 'usage' where nothing names one. */
export function releaseEnvironment(
  flag: string | undefined,
  { release, environments }: ProjectConfig,
): string {
  const environment = flag ?? release.environment ?? environments[0];
  if (environment !== undefined) return environment;
  throw new Failure('usage', {
    message: 'The environment is not given.',
    where: { input: '--environment' },
    hint: 'Give --environment, or set release.environment in millrace.yaml.',
  });
}

/** The prefix of the shared pipelines. Throws Failure 'usage' where nothing names one. */
export function sharedPrefix(flag: string | undefined, { release }: ProjectConfig): string {
  const prefix = flag ?? release.shared?.prefix;
  if (prefix !== undefined) return prefix;
  throw new Failure('usage', {
    message: 'The prefix of the shared pipelines is not given.',
    where: { input: '--prefix' },
    hint: 'Give --prefix, or set release.shared.prefix in millrace.yaml.',
  });
}
