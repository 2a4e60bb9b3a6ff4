import { createHash } from 'node:crypto';

/** An environment of a project. Its live version is one fact, however many lanes promote to it. */
export interface LiveTarget {
  readonly project: string;
  readonly environment: string;
}

/** The same text for the same environment; project ids are compared without regard to case. */
export function targetName({ project, environment }: LiveTarget): string {
  return JSON.stringify([project.toLowerCase(), environment]);
}

/** Part of a key in Redis: environment names come from outside. */
export function targetDigest(target: LiveTarget): string {
  return createHash('sha256').update(targetName(target)).digest('base64url').slice(0, 22);
}
