import { enteredAt, onePerVersion } from '../../lib/core/values/listed-version.ts';
import { changeToMakeLive } from './change-live.ts';
import type { ArtifactVersion } from './find-artifact.ts';
import { liveVersion, newestFirst } from './live-version.ts';

/** A version that a person may choose to make live, and what that would change. */
export interface VersionChoice {
  readonly version: string;
  /** The commit that it was built from; null if the platform does not say it. */
  readonly commit: string | null;
  /** When it entered the environment that offers it, ISO 8601. */
  readonly since: string;
  readonly isLive: boolean;
  /** Whether it was verified in the target; null if that is not known. */
  readonly isVerified: boolean | null;
  /** It is not in the target yet, and would be promoted there. */
  readonly promotes: boolean;
  /** It is disabled in the target, and would be enabled. */
  readonly enables: boolean;
  /** Versions of the target that would be disabled, in this order. */
  readonly disables: readonly string[];
}

/** The names of the versions that were verified in the target; `undefined` if that is not known. */
type Verified = ReadonlySet<string> | undefined;

/**
 * The versions that a roll-back may go back to: enabled in the environment, older than the live one, and verified there if
 * that is known; newest first.
 */
export function choicesToRollBack(versions: readonly ArtifactVersion[], verified: Verified): VersionChoice[] {
  const ordered = newestFirst(onePerVersion(versions));
  const live = liveVersion(ordered);
  if (live === undefined) return [];
  return ordered
    .slice(ordered.indexOf(live) + 1)
    .filter(({ enabled, versionName }) => enabled && verified?.has(versionName) !== false)
    .map((artifact) => choiceOf(artifact, ordered, verified));
}

/** The versions that a promotion may make live: enabled in the source; newest first. */
export function choicesToPromote(
  { source, target }: Readonly<Record<'source' | 'target', readonly ArtifactVersion[]>>,
  verified: Verified,
): VersionChoice[] {
  return newestFirst(onePerVersion(source))
    .filter(({ enabled }) => enabled)
    .map((artifact) => choiceOf(artifact, target, verified));
}

/** What makes a version live in the target. A version that is promoted is the newest there, so it disables none. */
function choiceOf(
  artifact: ArtifactVersion,
  target: readonly ArtifactVersion[],
  verified: Verified,
): VersionChoice {
  const { versionName: version } = artifact;
  const change = changeToMakeLive(target, version);
  return {
    version,
    commit: artifact.commitHash?.trim() || null,
    since: enteredAt(artifact),
    isLive: liveVersion(target)?.versionName === version,
    isVerified: verified?.has(version) ?? null,
    promotes: change === undefined,
    enables: change?.enable ?? false,
    disables: change?.disable ?? [],
  };
}

/** A sentence about what choosing a version does. `environment`: the target. */
export function describeChoice(
  { version, isLive, promotes, enables, disables }: VersionChoice,
  environment: string,
): string {
  if (isLive) return `${version} is live in ${environment} already.`;
  const effects = [
    ...(promotes ? ['it is promoted'] : []),
    ...(enables ? ['it is enabled'] : []),
    ...(disables.length === 0
      ? []
      : [`${disables.join(', ')} ${disables.length === 1 ? 'is' : 'are'} disabled`]),
  ];
  return `${version} becomes live in ${environment}: ${effects.join(', and ')}.`;
}

/** The column titles for the cells of `choiceCells`. */
export const choiceColumns = ['VERSION', 'COMMIT', 'SINCE', 'VERIFIED', 'WHAT IT CHANGES'] as const;

/** The choices as table rows with plain text. */
export function choiceCells(choices: readonly VersionChoice[], environment: string): string[][] {
  return choices.map((choice) => [
    choice.version,
    choice.commit?.slice(0, 12) ?? '–',
    choice.since,
    choice.isVerified === null ? 'not known' : choice.isVerified ? 'yes' : 'no',
    describeChoice(choice, environment),
  ]);
}
