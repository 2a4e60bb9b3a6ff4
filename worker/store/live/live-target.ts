import { createHash } from 'node:crypto';

/** An environment of a project. It has one live version, however many lanes promote to it. */
export interface LiveTarget {
  readonly project: string;
  readonly environment: string;
}

/** A text that identifies an environment. Upper and lower case of the project's id do not matter. */
export function targetName({ project, environment }: LiveTarget): string {
  return JSON.stringify([project.toLowerCase(), environment]);
}

/** Digests that are remembered: each promotion needs the digest of its target several times. */
const maxDigests = 1_000;
const digests = new Map<string, string>();

/** The digest of an environment's name, for keys in Redis, because the name comes from outside. */
export function targetDigest(target: LiveTarget): string {
  const name = targetName(target);
  const remembered = digests.get(name);
  if (remembered !== undefined) return remembered;
  const digest = createHash('sha256').update(name).digest('base64url').slice(0, 22);
  if (digests.size >= maxDigests) digests.clear();
  digests.set(name, digest);
  return digest;
}
