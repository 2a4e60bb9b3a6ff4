import type { ProjectConfig } from '../../../lib/config/project/project-schema.ts';
import { releaseVersion } from '../../../lib/config/project/release-version.ts';
import { readTarget, type Target } from '../../../lib/github/workflow-run/event-target.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { openProjectAt, type Project } from '../checkout/project.ts';
import type { Step } from '../step/step.ts';

/** The source of a release: the commit, its project, the settings at the commit, and the version name. */
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
        'The version is missing: the workflow was not started by a tag, and the input version is empty.',
      where: { input: 'version' },
      hint: 'Start the workflow on the push of a tag, or give the input version.',
    });
  }
  const version = releaseVersion(release, tag, commit);
  if (version !== undefined) return version;
  throw new Failure('version-invalid', {
    message: `The tag "${tag}" is not a release tag of this project: release.tag is "${release.tag}".`,
    where: { input: 'version' },
    hint: 'Push a tag that matches release.tag, or correct release.tag in millrace.yaml. To publish this tag anyway, give the input version.',
  });
}

/**
 * Finds out what to publish, from git objects at the commit of the tag. Throws Failure 'usage' on a pull request or
 * without a version, 'version-invalid' for a tag that is not a release tag of the project.
 */
export async function openRelease(
  inputs: { readonly 'working-directory': string; readonly version?: string | undefined },
  step: Step,
): Promise<ReleaseSource> {
  const target = readTarget(step.facts);
  if (target === undefined || target.kind === 'pull-request' || target.kind === 'merge-group') {
    throw new Failure('usage', {
      message: `Cannot publish on the event "${step.facts.eventName}", because its commit is not a released one.`,
      where: { input: 'GITHUB_EVENT_NAME' },
      hint: 'Publish on the push of a tag or branch, or on workflow_dispatch.',
    });
  }
  const { project, commit, config } = await openProjectAt(target.commit, step, inputs['working-directory']);
  const version = inputs.version ?? versionOf(config, target, commit);
  return { project, config, commit, version, branch: target.branch === '' ? undefined : target.branch };
}
