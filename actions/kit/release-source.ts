import type { ProjectConfig } from '../../lib/config/project-schema.ts';
import { releaseVersion } from '../../lib/config/release-version.ts';
import { readTarget, type Target } from '../../lib/github/event-target.ts';
import { fetchedCommit } from '../../lib/github/fetch-commit.ts';
import { Failure } from '../../lib/core/failure.ts';
import { defaultConfig, openProject, type Project, readConfigAt } from './project.ts';
import type { Step } from './step.ts';

/** What is released: a commit, its project, the settings at that commit, and the version name. */
export interface ReleaseSource {
  readonly project: Project;
  readonly config: ProjectConfig;
  readonly commit: string;
  readonly branch: string | undefined;
  readonly version: string;
}

function versionOf(config: ProjectConfig, { tag }: Target, commit: string): string {
  const { release } = config;
  if (tag === undefined) {
    throw new Failure('usage', {
      message:
        'No version to publish: the workflow was not started by a tag, and the input version is empty.',
      where: { input: 'version' },
      hint: 'Start the workflow on push of tags, or give the input version.',
    });
  }
  const version = releaseVersion(release, tag, commit);
  if (version !== undefined) return version;
  throw new Failure('version-invalid', {
    message: `The tag "${tag}" is no release tag of this project: release.tag is "${release.tag}".`,
    where: { input: 'version' },
    hint: 'Let the workflow start on those tags only, change release.tag in millrace.yaml, or give the input version.',
  });
}

/**
 * Settles what is to be published, from git objects at the commit that the tag stands for. Failures 'usage' on a pull
 * request or without a version, 'version-invalid' for a tag that is none of the project's.
 */
export async function openRelease(
  inputs: { readonly 'working-directory': string; readonly version?: string | undefined },
  step: Step,
): Promise<ReleaseSource> {
  const target = readTarget(step.facts);
  if (target === undefined || target.kind === 'pull-request' || target.kind === 'merge-group') {
    throw new Failure('usage', {
      message: `Nothing is published on the event "${step.facts.eventName}": its commit is not released.`,
      where: { input: 'GITHUB_EVENT_NAME' },
      hint: 'Publish on push of a tag or of a branch, or on workflow_dispatch.',
    });
  }
  const project = await openProject(step, inputs['working-directory']);
  const { environment, context } = step;
  const commit = await fetchedCommit(project.repository, {
    directory: project.path,
    commit: target.commit,
    environment,
    signal: context.signal,
  });
  const config = (await readConfigAt(project, commit)) ?? defaultConfig;
  const version = inputs.version ?? versionOf(config, target, commit);
  return { project, config, commit, version, branch: target.branch === '' ? undefined : target.branch };
}
