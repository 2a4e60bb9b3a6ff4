import { meantHint } from '../../lib/core/text/did-you-mean.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import { changeToMakeLive, changeToRollBack } from '../versions/change-live.ts';
import { onePerVersion } from '../../lib/core/values/listed-version.ts';
import { liveVersion } from '../versions/live-version.ts';

interface RollbackTarget {
  /** The version to disable, if the caller names one. */
  readonly version?: string | undefined;
  /** The earlier enabled version to go back to, if the caller names one; otherwise the newest that was verified. */
  readonly to?: string | undefined;
  /** The versions that were verified there; `undefined` if that is not known, and any enabled version counts. */
  readonly verified?: ReadonlySet<string> | undefined;
  /** The location of the versions, from `placeOf`. */
  readonly place: string;
}

/**
 * The versions that a rollback disables, and the version that is live afterwards. `already-done`: the named version
 * is already disabled.
 */
export interface RollbackChoice {
  readonly outcome: 'passed' | 'already-done';
  readonly disabled: string;
  /** Enabled versions between the two: they are disabled first. Without a named goal, none of them was ever verified. */
  readonly alsoDisabled: readonly string[];
  readonly live: string;
}

/**
 * Decides which version a rollback disables, for projects and shared pipelines: the live one, if an earlier enabled
 * version remains (spec §4.8 rule 2) that was verified, if that is known. A named version must be the live one.
 * `to` names the version to go back to. Throws Failure 'nothing-to-roll-back-to', and 'usage' if the named version
 * is not the live one, or if `to` is live, disabled, missing or was never verified.
 */
export function chooseRollback(
  versions: readonly (Parameters<typeof liveVersion>[0][number] & { readonly versionName: string })[],
  { version, to, verified, place }: RollbackTarget,
): RollbackChoice {
  const live = liveVersion(versions)?.versionName;
  const named = versions.find(({ versionName }) => versionName === version);
  if (live === undefined) {
    throw new Failure('nothing-to-roll-back-to', {
      message: `No version ${place} is enabled, so there is nothing to roll back.`,
      hint: 'Enable the version that should be live, or publish a new version.',
    });
  }
  if (named?.enabled === false) {
    return { outcome: 'already-done', disabled: named.versionName, alsoDisabled: [], live };
  }
  if (version !== undefined && named === undefined) {
    throw new Failure('nothing-to-roll-back-to', {
      message: `Version ${version} does not exist ${place}.`,
      hint: meantHint(
        version,
        versions.map(({ versionName }) => versionName),
        'Check the name of the version, and where you roll it back: it may be in another environment, or belong to other shared pipelines.',
      ),
      where: { input: 'version' },
    });
  }
  if (version !== undefined && version !== live) {
    throw new Failure('usage', {
      message: `Version ${version} is not live ${place}. The live version is ${live}.`,
      where: { input: 'version' },
      hint: `To roll back the live version, give ${live} as the version, or give no version.`,
    });
  }
  if (to !== undefined) return rollBackTo(to, versions, { live, verified, place });
  const change = changeToRollBack(versions, live, verified);
  if (change === undefined) {
    const others = versions.some(({ enabled, versionName }) => enabled && versionName !== live);
    throw new Failure('nothing-to-roll-back-to', {
      message: others
        ? `${live} cannot be rolled back: no earlier enabled version ${place} was verified there.`
        : `${live} cannot be rolled back: it is the only enabled version ${place}, and without it nothing could run (spec §4.8 rule 2).`,
      hint: others
        ? 'Enable an earlier version that was verified there and roll back again, or publish a corrected version instead.'
        : 'Enable an earlier version and roll back again, or publish a corrected version instead.',
    });
  }
  const alsoDisabled = change.disable.filter((name) => name !== live);
  return { outcome: 'passed', disabled: live, alsoDisabled, live: change.live };
}

/** Goes back to exactly the version that a person named: every newer version is disabled, the live one last. */
function rollBackTo(
  to: string,
  versions: Parameters<typeof chooseRollback>[0],
  { live, verified, place }: Pick<RollbackTarget, 'verified' | 'place'> & { readonly live: string },
): RollbackChoice {
  const names = versions.map(({ versionName }) => versionName);
  const isEnabled = onePerVersion(versions).find(({ versionName }) => versionName === to)?.enabled;
  const change = changeToMakeLive(versions, to);
  if (to === live || isEnabled !== true || change === undefined) {
    throw new Failure('usage', {
      message:
        to === live
          ? `Version ${to} is already live ${place}.`
          : `Version ${to} ${isEnabled === undefined ? 'does not exist' : 'is disabled'} ${place}.`,
      where: { input: 'to' },
      hint:
        isEnabled === undefined
          ? meantHint(to, names, 'Name an enabled version that is older than the live one.')
          : 'Name an enabled version that is older than the live one. To make another version live, promote it.',
    });
  }
  if (verified?.has(to) === false) {
    throw new Failure('usage', {
      message: `Version ${to} was never verified ${place}.`,
      where: { input: 'to' },
      hint: 'Name a version that was verified there, or promote this one through its lane, which verifies it.',
    });
  }
  const alsoDisabled = change.disable.filter((name) => name !== live);
  return { outcome: 'passed', disabled: live, alsoDisabled, live: to };
}

/** The text for the place of versions in messages: an environment, or the shared pipelines with a prefix. */
export function placeOf(target: { readonly environment: string } | { readonly prefix: string }): string {
  return 'environment' in target ? `in ${target.environment}` : `of the shared pipelines ${target.prefix}`;
}
