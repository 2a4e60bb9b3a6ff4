import { Failure } from '../../lib/core/failure.ts';
import { liveVersion } from '../versions/live-version.ts';

interface RollbackQuestion {
  /** The version that is to go, where the caller names one. */
  readonly version?: string | undefined;
  /** Where the versions are, from `placeOf`. */
  readonly place: string;
}

/** What a rollback disables, and what is live afterwards. `already-done`: the named version is disabled. */
export interface RollbackChoice {
  readonly outcome: 'passed' | 'already-done';
  readonly disabled: string;
  readonly live: string;
}

/**
 * Decides for project artifacts and shared pipelines alike which version a rollback disables: the live one, and only
 * where an earlier enabled version remains (spec §4.8 rule 2). A named version must be the live one.
 * Throws Failure 'nothing-to-roll-back-to', 'usage' where the named version is not the live one.
 */
export function chooseRollback(
  versions: readonly (Parameters<typeof liveVersion>[0][number] & { readonly versionName: string })[],
  { version, place }: RollbackQuestion,
): RollbackChoice {
  const live = liveVersion(versions)?.versionName;
  const earlier = liveVersion(versions.filter(({ versionName }) => versionName !== live))?.versionName;
  const named = versions.find(({ versionName }) => versionName === version);
  if (live === undefined) {
    throw new Failure('nothing-to-roll-back-to', { message: `No version ${place} is enabled.` });
  }
  if (named?.enabled === false) return { outcome: 'already-done', disabled: named.versionName, live };
  if (version !== undefined && named === undefined) {
    throw new Failure('nothing-to-roll-back-to', {
      message: `There is no version ${version} ${place}.`,
      where: { input: 'version' },
    });
  }
  if (version !== undefined && version !== live) {
    throw new Failure('usage', {
      message: `Version ${version} is not the live one ${place}: ${live} is.`,
      where: { input: 'version' },
      hint: 'Leave the version out, or name the live one.',
    });
  }
  if (earlier === undefined) {
    throw new Failure('nothing-to-roll-back-to', {
      message: `${live} is the only enabled version ${place}; without it nothing could run (spec §4.8 rule 2).`,
    });
  }
  return { outcome: 'passed', disabled: live, live: earlier };
}

/** What a rollback did, in a sentence; with `dryRun` what it would do. */
export function describeRollback(
  { outcome, disabled, live }: RollbackChoice,
  { place, dryRun }: { readonly place: string; readonly dryRun: boolean },
): string {
  if (outcome === 'already-done') return `${disabled} ${place} is disabled already; ${live} is live.`;
  return `${dryRun ? 'Would disable' : 'Disabled'} ${disabled} ${place}; ${live} is live.`;
}

/** Where the versions of an environment, or of a prefix, are, as messages say it. */
export function placeOf(target: { readonly environment: string } | { readonly prefix: string }): string {
  return 'environment' in target ? `in ${target.environment}` : `of the shared pipelines ${target.prefix}`;
}
