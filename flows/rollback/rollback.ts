import { chooseRollback, placeOf } from './choose-rollback.ts';
import type { PlatformContext } from '../context/context.ts';
import { listArtifacts } from '../versions/find-artifact.ts';

export interface RollbackRequest {
  readonly environment: string;
  /** The version to disable. With it, a second call changes nothing; without it, each call goes back one version. */
  readonly version?: string | undefined;
  readonly dryRun: boolean;
}

export interface RollbackReport {
  readonly outcome: 'passed' | 'already-done';
  readonly environment: string;
  readonly disabled: string;
  /** The version that executions without a version name now use (spec §4.4 rule 1). */
  readonly live: string;
  readonly dryRun: boolean;
}

/**
 * Rolls an environment back: disables the live version after checking that an earlier enabled one exists, so that
 * executions without a version name use that one again (spec §3.3).
 * Throws Failure 'nothing-to-roll-back-to', and 'usage' if the named version is not the live one.
 */
export async function rollback(request: RollbackRequest, context: PlatformContext): Promise<RollbackReport> {
  const { environment, version, dryRun } = request;
  const { client, projectId, signal, progress } = context;
  const versions = await listArtifacts(environment, context);
  const chosen = chooseRollback(versions, { version, place: placeOf({ environment }) });
  const { outcome, disabled, live } = chosen;
  if (outcome === 'passed' && !dryRun) {
    progress.step(`Disabling ${disabled} in ${environment}`);
    await client.artifacts.setEnabled(
      { projectId, environmentName: environment, versionName: disabled, enabled: false },
      { signal },
    );
  }
  return { outcome, environment, disabled, live, dryRun };
}
