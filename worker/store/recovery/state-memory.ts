import { randomUUID } from 'node:crypto';
import type { MemoryArguments } from '../scripts/lane-script.ts';

/** For each lane and promotion whose records Redis lost, what was recorded last. */
export interface LostRecords {
  readonly lanes: Readonly<Record<string, string>>;
  readonly promotions: Readonly<Record<string, string>>;
  /** Something that is not about one lane, or more than this process remembers. */
  readonly all: string | undefined;
}

/** What a call recorded, and the lane or promotion that it concerns. */
export interface Recorded {
  readonly lane?: string | undefined;
  readonly promotion?: string | undefined;
  readonly what: string;
}

/**
 * Remembers what Redis has acknowledged to this process. Every call of a script has a number, which Redis stores.
 * If Redis has a lower number than it acknowledged, it has lost its newest records (`lane-rules.lua`).
 */
export interface StateMemory {
  /** The id of this process, in Redis. */
  readonly worker: string;
  /** Calls count for the records with this marker from now on. */
  follow(marker: string): void;
  /** What the next call takes along; undefined before the records are known. */
  next(now: number): MemoryArguments | undefined;
  /** The last call that Redis has acknowledged; undefined if there is none. */
  last(): { readonly worker: string; readonly call: number } | undefined;
  /** Redis has answered a call. `entry`: what is missing if the call is lost; undefined if nothing is. */
  acknowledged(call: Pick<MemoryArguments, 'call' | 'marker'>, now: number, entry?: Recorded): void;
  /** What is lost if Redis knows this worker's calls up to `stored` only; it is forgotten here. */
  takeLost(stored: number): LostRecords & { readonly call: number };
}

/** Records of lanes that are remembered. */
const maxLanes = 20_000;

/** Redis forgets a worker after a day without a call (`epoch.lua`). */
const forgetMs = 43_200_000;

export function createStateMemory(): StateMemory {
  const worker = randomUUID();
  let marker: string | undefined;
  let calls = 0;
  let seen = 0;
  let seenAt = 0;
  /** What was acknowledged last of each lane, the oldest first. */
  const recorded = new Map<string, Recorded & { readonly call: number }>();
  /** The newest call that is no longer remembered. */
  let forgotten = 0;

  function forgetAll(): void {
    recorded.clear();
    seen = 0;
    forgotten = 0;
  }

  return {
    worker,
    follow(current: string): void {
      if (current !== marker) forgetAll();
      marker = current;
    },
    next(now: number): MemoryArguments | undefined {
      if (marker === undefined) return undefined;
      if (now - seenAt > forgetMs) forgetAll();
      calls += 1;
      return { worker, call: calls, seen, marker };
    },
    last(): { readonly worker: string; readonly call: number } | undefined {
      return seen === 0 ? undefined : { worker, call: seen };
    },
    acknowledged(call: Pick<MemoryArguments, 'call' | 'marker'>, now: number, entry?: Recorded): void {
      if (call.marker !== marker) return;
      seen = Math.max(seen, call.call);
      seenAt = now;
      if (entry === undefined) return;
      const key = `${entry.lane ?? ''} ${entry.lane === undefined ? (entry.promotion ?? '') : ''}`;
      recorded.delete(key);
      recorded.set(key, { ...entry, call: call.call });
      const [oldest] = recorded;
      if (recorded.size <= maxLanes || oldest === undefined) return;
      recorded.delete(oldest[0]);
      forgotten = Math.max(forgotten, oldest[1].call);
    },
    takeLost(stored: number): LostRecords & { readonly call: number } {
      const lost = [...recorded].filter(([, { call }]) => call > stored);
      for (const [key] of lost) recorded.delete(key);
      const entries = lost.map(([, entry]) => entry);
      const everywhere = entries.find(({ lane, promotion }) => lane === undefined && promotion === undefined);
      const all = everywhere?.what ?? (stored < forgotten ? 'more than a worker remembers' : undefined);
      forgotten = Math.min(forgotten, stored);
      return {
        lanes: byId(entries, ({ lane }) => lane),
        promotions: byId(entries, ({ lane, promotion }) => (lane === undefined ? promotion : undefined)),
        all,
        call: calls,
      };
    },
  };
}

function byId(
  entries: readonly Recorded[],
  idOf: (entry: Recorded) => string | undefined,
): Record<string, string> {
  return Object.fromEntries(
    entries.flatMap((entry) => {
      const id = idOf(entry);
      return id === undefined ? [] : [[id, entry.what] as const];
    }),
  );
}
