import { Failure } from '../model/failure.ts';
import type { PlatformContext } from './context.ts';
import { listArtifacts } from './find-artifact.ts';
import { liveVersion } from './live-version.ts';

export interface RollbackRequest {
  readonly environment: string;
  /** The version that is to go. Where it is given, a second call changes nothing; without it, each call goes one further back. */
  readonly version?: string | undefined;
  readonly dryRun: boolean;
}

export interface RollbackReport {
  readonly outcome: 'passed' | 'already-done';
  readonly environment: string;
  readonly disabled: string;
  /** The version that executions without a version name use now (spec §4.4 rule 1). */
  readonly live: string;
  readonly dryRun: boolean;
}

/**
 * Rolls an environment back: disables the live version after checking that an enabled earlier one exists, so
 * that executions without a version name use that one again (spec §3.3).
 * Throws Failure 'nothing-to-roll-back-to', 'usage' where the named version is not the live one.
 */
export async function rollback(request: RollbackRequest, context: PlatformContext): Promise<RollbackReport> {
  const { environment, version, dryRun } = request;
  const { client, projectId, signal, progress } = context;
  const versions = await listArtifacts(environment, context);
  const live = liveVersion(versions);
  const earlier = liveVersion(versions.filter(({ versionName }) => versionName !== live?.versionName));

  const named = versions.find(({ versionName }) => versionName === version);
  if (live !== undefined && named?.enabled === false) {
    return {
      outcome: 'already-done',
      environment,
      disabled: named.versionName,
      live: live.versionName,
      dryRun,
    };
  }
  if (live === undefined || (version !== undefined && named === undefined)) {
    throw new Failure('nothing-to-roll-back-to', {
      message:
        version === undefined || live === undefined
          ? `No version is enabled in ${environment}.`
          : `${environment} holds no version ${version}.`,
      where: { input: 'environment' },
    });
  }
  if (version !== undefined && version !== live.versionName) {
    throw new Failure('usage', {
      message: `Version ${version} is not the live one in ${environment}: ${live.versionName} is.`,
      where: { input: 'version' },
      mend: 'Leave the version out, or name the live one.',
    });
  }
  if (earlier === undefined) {
    throw new Failure('nothing-to-roll-back-to', {
      message: `${live.versionName} is the only enabled version in ${environment}; without it nothing could run (spec §4.8 rule 2).`,
    });
  }
  if (!dryRun) {
    progress.step(`Disabling ${live.versionName} in ${environment}`);
    await client.artifacts.setEnabled(
      { projectId, environmentName: environment, versionName: live.versionName, enabled: false },
      { signal },
    );
  }
  return { outcome: 'passed', environment, disabled: live.versionName, live: earlier.versionName, dryRun };
}
