import { refuse } from '../refusal/refusal.ts';
import type { World } from '../world/world.ts';

export interface SharedVersion {
  readonly seq: number;
  readonly prefix: string;
  readonly version_name: string;
  readonly enabled: number;
  readonly created_at: number;
  readonly commit_hash: string | null;
  readonly branch: string | null;
}

/**
 * Finds a version by its name, or without a name the newest enabled one (spec §4.8). `latest` is an ordinary name
 * (rule 1).
 */
export function findShared(
  world: World,
  prefix: string,
  version: string | undefined,
): SharedVersion | undefined {
  if (version === undefined)
    return world.store.get<SharedVersion>(
      'SELECT * FROM shared_artifact WHERE prefix = ? AND enabled = 1 ORDER BY seq DESC LIMIT 1',
      prefix,
    );
  return world.store.get<SharedVersion>(
    'SELECT * FROM shared_artifact WHERE prefix = ? AND version_name = ?',
    prefix,
    version,
  );
}

/** Finds a version of shared pipelines. @throws Refusal 404 (spec §7) */
export function requireShared(world: World, prefix: string, version: string | undefined): SharedVersion {
  const sharedVersion = findShared(world, prefix, version);
  if (sharedVersion !== undefined) return sharedVersion;
  throw refuse(
    404,
    version === undefined
      ? `The shared pipelines "${prefix}" have no enabled version.`
      : `The shared pipelines "${prefix}" have no version "${version}".`,
  );
}

/** A version of shared pipelines as `artifactDetails` of the specification (§2.11). */
export function showShared(world: World, row: SharedVersion) {
  return {
    sharedPipelineIdPrefix: row.prefix,
    versionName: row.version_name,
    enabled: row.enabled === 1,
    createdAt: new Date(row.created_at).toISOString(),
    provider: world.settings.gitProvider,
    commitHash: row.commit_hash,
    branch: row.branch,
  };
}
