import type { Redis } from 'ioredis';
import type { Via } from '../../records/audit-entry.ts';
import type { Keys } from '../scripts/keys.ts';
import { statusIn, toJson } from '../../../lib/redis/scripts/lua-script.ts';
import { type CallLaneScript, laneScript } from '../scripts/lane-script.ts';

/** What a pause covers: everything, or only a repository (GitHub's id), an environment, or both. */
export interface PauseScope {
  readonly repository?: number | undefined;
  readonly environment?: string | undefined;
}

export interface GivenPause extends PauseScope {
  readonly by: string;
  readonly via: Via;
  readonly reason: string;
  /** Milliseconds since the epoch. */
  readonly since: number;
}

/**
 * A pause of the installation, during which nothing that changes the platform begins. Each pause is ended
 * separately, by its unique id.
 */
export interface Pause extends GivenPause {
  readonly id: string;
}

/** The environment to which a lane promotes, with its repository. */
export interface PauseTarget {
  readonly repository: number;
  readonly environment: string;
}

/** Begins, lists and ends pauses. Each action and its audit entry are one step in Redis. */
export interface Pauses {
  /** Undefined: there are too many pauses. */
  pause(newPause: GivenPause): Promise<Pause | undefined>;
  /** Ends a pause; returns the promotions to advance now. Undefined: the pause has ended already. */
  resumePaused(
    pause: Pause,
    by: Pick<GivenPause, 'by' | 'via'> & { readonly reason: string },
  ): Promise<readonly string[] | undefined>;
  /** All pauses, oldest first. */
  pauses(): Promise<readonly Pause[]>;
  /** The pauses that cover an environment, oldest first. */
  pausesOf(target: PauseTarget): Promise<readonly Pause[]>;
}

export function createPauses(redis: Redis, keys: Keys, call: CallLaneScript): Pauses {
  const pauses = async (): Promise<readonly Pause[]> => {
    const entries = Object.entries(await redis.hgetall(keys.pauses));
    // Written by our own scripts only.
    return entries
      .map(([id, text]): Pause => ({ ...(JSON.parse(text) as GivenPause), id }))
      .toSorted((a, b) => a.since - b.since || a.id.localeCompare(b.id, 'en', { numeric: true }));
  };
  return {
    async pause(newPause: GivenPause): Promise<Pause | undefined> {
      const { by, via } = newPause;
      const id = await call(pause, { pause: toJson(newPause), by, via });
      return id === undefined ? undefined : { ...newPause, id };
    },
    async resumePaused(
      { id, reason: paused, repository, environment }: Pause,
      { by, via, reason }: Pick<GivenPause, 'by' | 'via'> & { readonly reason: string },
    ): Promise<readonly string[] | undefined> {
      const data = toJson({ ...(reason === '' ? {} : { reason }), paused, repository, environment });
      return call(resumePaused, { id, by, via, data });
    },
    pauses,
    async pausesOf(target: PauseTarget): Promise<readonly Pause[]> {
      return (await pauses()).filter((active) => isCovered(active, target));
    },
  };
}

/** Whether a pause covers an environment of a repository. */
export function isCovered({ repository, environment }: PauseScope, target: PauseTarget): boolean {
  return (
    (repository === undefined || repository === target.repository) &&
    (environment === undefined || environment === target.environment)
  );
}

interface PauseArguments {
  /** As JSON, without its id. */
  readonly pause: string;
  readonly by: string;
  readonly via: Via;
}

/** Pauses everything, a repository or an environment; answers the id, or undefined if there are too many pauses. */
const pause = laneScript<PauseArguments, string | undefined>(
  import.meta.dirname,
  'pause.lua',
  (answer) => (statusIn('ok', 'full')(answer) === 'ok' ? answer[1] : undefined),
  { isWord: (id) => id !== undefined },
);

interface ResumeArguments {
  readonly id: string;
  readonly by: string;
  readonly via: Via;
  /** For the audit, as JSON. */
  readonly data: string;
}

/** Ends a pause; answers the promotions to advance now, or undefined if it had ended. */
const resumePaused = laneScript<ResumeArguments, readonly string[] | undefined>(
  import.meta.dirname,
  'resume-paused.lua',
  (answer) => (statusIn('ok', 'unknown')(answer) === 'ok' ? answer.slice(1) : undefined),
  { isWord: (promotions) => promotions !== undefined },
);
