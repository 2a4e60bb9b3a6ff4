import { Failure } from '../../lib/core/errors/failure.ts';

/**
 * The failure for a publication or promotion of a version that exists but is disabled. A person disabled it on
 * purpose, so only a person may enable it again.
 */
export function versionDisabled({
  version,
  environment,
}: {
  readonly version: string;
  readonly environment: string;
}): Failure {
  return new Failure('version-disabled', {
    message: `Version ${version} is in ${environment}, but disabled there.`,
    where: { input: 'version' },
    hint: `To enable the version: \`millrace api artifacts.setEnabled --param environmentName=${environment} --param versionName=${version} --param enabled=true\``,
    details: { version, environment },
  });
}

/** The same failure for a version of shared pipelines. */
export function sharedVersionDisabled({
  version,
  prefix,
}: {
  readonly version: string;
  readonly prefix: string;
}): Failure {
  return new Failure('version-disabled', {
    message: `Version ${version} of ${prefix} is already published and disabled.`,
    where: { input: 'version' },
    hint: `To enable the version: \`millrace api sharedArtifacts.setEnabled --param sharedPipelineIdPrefix=${prefix} --param versionName=${version} --param enabled=true\``,
    details: { version, prefix },
  });
}
