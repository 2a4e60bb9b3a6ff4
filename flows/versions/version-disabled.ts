import { Failure } from '../../lib/core/failure.ts';

/**
 * The failure of a publication or promotion whose version is there but disabled: somebody took it out, so neither
 * passing nor sending it again would be right. Only a person enables it again.
 */
export function versionDisabled({
  version,
  environment,
}: {
  readonly version: string;
  readonly environment: string;
}): Failure {
  return new Failure('version-disabled', {
    message: `Version ${version} is in ${environment} already and disabled there.`,
    where: { input: 'version' },
    hint: `Enable it: millrace api artifacts.setEnabled --param environmentName=${environment} --param versionName=${version} --param enabled=true`,
    details: { version, environment },
  });
}

/** The same for a version of shared pipelines. */
export function sharedVersionDisabled({
  version,
  prefix,
}: {
  readonly version: string;
  readonly prefix: string;
}): Failure {
  return new Failure('version-disabled', {
    message: `Version ${version} of ${prefix} is published already and disabled.`,
    where: { input: 'version' },
    hint: `Enable it: millrace api sharedArtifacts.setEnabled --param sharedPipelineIdPrefix=${prefix} --param versionName=${version} --param enabled=true`,
    details: { version, prefix },
  });
}
