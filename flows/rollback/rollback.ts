import { requireEnvironment } from '../context/require-environment.ts';
import { chooseRollback, placeOf } from './choose-rollback.ts';
import type { PlatformContext } from '../context/context.ts';
import { choicesToRollBack, type VersionChoice } from '../versions/version-choices.ts';
import { listArtifacts } from '../versions/find-artifact.ts';

export interface RollbackRequest {
  readonly environment: string;
  /** The version to disable. With it, a second call changes nothing; without it, each call goes back one version. */
  readonly version?: string | undefined;
  /** The earlier enabled version to go back to. Default: the newest that was verified, or the newest if that is not known. */
  readonly to?: string | undefined;
  /**
   * The versions that were verified in the environment: the rollback goes to the newest of them that is enabled.
   * Only the worker knows them; `undefined` takes any enabled version.
   */
  readonly verified?: ReadonlySet<string> | undefined;
  readonly dryRun: boolean;
}

export interface RollbackReport {
  readonly outcome: 'passed' | 'already-done';
  readonly environment: string;
  readonly disabled: string;
  /** Enabled versions between the two: they are disabled too. */
  readonly alsoDisabled: readonly string[];
  /** The version that executions without a version name now use (spec §4.4 rule 1). */
  readonly live: string;
  readonly dryRun: boolean;
  /** Of a dry run: the versions that a roll-back may go back to, newest first. */
  readonly choices?: readonly VersionChoice[];
}

/**
 * Rolls an environment back: disables the live version after checking that an earlier enabled one exists, so that
 * executions without a version name use that one again (spec §3.3).
 * Throws Failure 'not-found' for an environment that the project does not have, 'nothing-to-roll-back-to', and 'usage' if the
 * named version is not the live one, or if the version to go back to cannot become live.
 */
export async function rollback(request: RollbackRequest, context: PlatformContext): Promise<RollbackReport> {
  const { environment, version, to, verified, dryRun } = request;
  const { client, projectId, signal, progress } = context;
  const versions = await listArtifacts(environment, context);
  // A misspelled environment has no versions either.
  if (versions.length === 0) await requireEnvironment(environment, context);
  const chosen = chooseRollback(versions, { version, to, verified, place: placeOf({ environment }) });
  const { outcome, disabled, alsoDisabled, live } = chosen;
  if (outcome === 'passed' && !dryRun) {
    // Disable the live version last, so that the live version changes only once.
    for (const versionName of [...alsoDisabled, disabled]) {
      progress.step(`Disabling ${versionName} in ${environment}`);
      const input = { projectId, environmentName: environment, versionName, enabled: false };
      await client.artifacts.setEnabled(input, { signal });
    }
  }
  const choices = dryRun ? { choices: choicesToRollBack(versions, verified) } : {};
  return { outcome, environment, disabled, alsoDisabled, live, dryRun, ...choices };
}
