import type { ProjectConfig } from '../../lib/config/project/project-schema.ts';
import { releaseTag } from '../../lib/config/project/release-version.ts';
import type { VersionRule } from '../../lib/config/project/versions-schema.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import type { CommitFacts } from './newer-version.ts';

/** The choices for a version that is older than the live one: refuse, warn or allow. */
export const olderChoices = ['refuse', 'warn', 'allow'] as const;
export type OlderChoice = (typeof olderChoices)[number];

/** Prevents that an older version replaces a newer one. */
export interface OrderGuard {
  readonly older: OlderChoice;
  /** Which of two versions is newer: the rule of the lane to the environment, if there is one. */
  readonly order: VersionRule['order'];
  /**
   * Where commits are compared if the names have no order, in the order to ask: the clone, GitHub. Each is opened when it
   * is needed; undefined if it is not there.
   */
  readonly commits: readonly (() => Promise<CommitFacts | undefined>)[];
  /** The tag of a version, by the settings of the project; undefined if they do not tell it. */
  readonly tagOf: (version: string) => string | undefined;
}

/**
 * The guard for an environment, by the settings of the project. Versions are ordered as in the lane to the
 * environment.
 * @param environment undefined for shared pipelines, which have no lane
 */
export function orderGuardOf(
  { lanes, release }: Pick<ProjectConfig, 'lanes' | 'release'>,
  environment: string | undefined,
  { older, commits }: Pick<OrderGuard, 'older' | 'commits'>,
): OrderGuard {
  const order = lanes.find(({ to }) => to === environment)?.versions.order ?? 'auto';
  return { older, order, commits, tagOf: (version) => releaseTag(release, version) };
}

/** Only the names decide. */
const byNames: OrderGuard = { older: 'refuse', order: 'auto', commits: [], tagOf: () => undefined };

/** The version to make live, and the version that is live now. */
export interface OrderedChange {
  readonly version: string;
  /** The commit of the version, read only if the names have no order. */
  readonly commit: () => Promise<string | undefined>;
  readonly live:
    { readonly versionName: string; readonly commitHash?: string | null | undefined } | undefined;
  /** Where it is live: `live in test`. */
  readonly where: string;
  /** The command that takes the live version back. */
  readonly goBack: string;
}

/**
 * Refuses a version that is older than the live one (decision 018). Only the live version counts: one that is disabled or
 * was rolled back does not. Returns warnings: an older version with `older: warn`, and one that cannot be compared.
 * Throws Failure 'older-version'; changes nothing.
 */
export async function guardOrder(
  { version, commit, live, where, goBack }: OrderedChange,
  guard: OrderGuard = byNames,
): Promise<readonly string[]> {
  if (guard.older === 'allow' || live === undefined || live.versionName === version) return [];
  const comparison = await compareWithLive({ version, commit, live }, guard);
  const isLive = `${live.versionName}, which is ${where}`;
  if (comparison.status === 'newest') return [];
  if (comparison.status === 'unknown')
    return [
      `It is not known whether ${version} is newer than ${isLive}: the names have no order, and the commits cannot be compared (${comparison.reason}). Millrace continued with ${version}.`,
    ];
  if (guard.older === 'warn')
    return [`${version} is older than ${isLive}. Millrace continued with ${version}.`];
  throw olderVersion({ version, live, where, goBack });
}

/** The failure for a version that is older than the live one. */
export function olderVersion({
  version,
  live: { versionName: name },
  where,
  goBack,
}: Pick<OrderedChange, 'version' | 'where' | 'goBack'> & {
  readonly live: Pick<NonNullable<OrderedChange['live']>, 'versionName'>;
}): Failure {
  return new Failure('older-version', {
    message: `${version} is older than ${name}, which is ${where}. Nothing was changed.`,
    where: { input: 'version' },
    hint: `To go back on purpose, first roll ${name} back with \`${goBack}\` (on GitHub: the action rollback), or allow an older version with \`--older allow\` (in an action: the input \`older: allow\`).`,
    details: { version, live: name },
  });
}

/** The texts about the live version of an environment, and the command that rolls it back. */
export function inEnvironment(
  environment: string,
  live: string | undefined,
): Pick<OrderedChange, 'where' | 'goBack'> {
  return {
    where: `live in ${environment}`,
    goBack: `millrace rollback --environment ${environment} --version ${live ?? ''}`,
  };
}

export type Compared =
  { readonly status: 'newest' | 'older' } | { readonly status: 'unknown'; readonly reason: string };

/**
 * How a version relates to the live one, by the rule of decision 018. `unknown`: it cannot be decided, for the
 * given reason (the end of a sentence).
 */
export async function compareWithLive(
  {
    version,
    commit,
    live,
  }: Pick<OrderedChange, 'version' | 'commit'> & { live: NonNullable<OrderedChange['live']> },
  { order, commits, tagOf }: Pick<OrderGuard, 'order' | 'commits' | 'tagOf'>,
): Promise<Compared> {
  // Only here, so that an action that compares nothing does not load the library of semantic versions.
  const { findNewerVersion } = await import('./newer-version.ts');
  const refOf = (name: string): string | undefined => {
    const tag = tagOf(name);
    return tag === undefined ? undefined : `refs/tags/${tag}`;
  };
  const knownVersion = (name: string, hash: string | null | undefined) => ({
    name,
    commit: hash?.trim().toLowerCase() || undefined,
    ref: refOf(name),
  });
  const than = knownVersion(live.versionName, live.commitHash);
  const named = await findNewerVersion({ ...knownVersion(version, undefined) }, [than], { order }, noFacts);
  if (named.status !== 'unknown') return named;
  const candidate = knownVersion(version, await commit());
  const without = [candidate, than].find((side) => side.commit === undefined);
  if (without !== undefined)
    return {
      status: 'unknown',
      reason: `the platform does not say from which commit ${without.name} was built`,
    };
  let reason = 'there is neither a clone of the repository nor a token for GitHub here';
  for (const open of commits) {
    try {
      const facts = await open();
      if (facts === undefined) continue;
      const comparison = await findNewerVersion(candidate, [than], { order }, facts);
      if (comparison.status !== 'unknown') return comparison;
      reason = `the repository does not have the commits of both versions`;
    } catch (error) {
      if (!(error instanceof Failure) || !unreadable.has(error.code)) throw error;
      reason = error.message.replace(/\.$/u, '');
    }
  }
  return { status: 'unknown', reason };
}

/** Another source may know more. */
const unreadable: ReadonlySet<string> = new Set(['git-failed', 'github-failed']);

const noFacts: CommitFacts = {
  relation: async () => 'unrelated',
  committedAt: async () => undefined,
  taggedAt: async () => undefined,
};
