import type { Redis } from 'ioredis';
import type { Clock } from '../../lib/core/ports.ts';
import type { Outcome } from '../../lib/core/outcome.ts';
import type { AuditEntry } from '../records/audit-entry.ts';
import type { LanePlan, RunPlan } from '../records/plan.ts';
import { readRun, type RunRecord } from '../records/run-record.ts';
import type { Keys } from './keys.ts';
import { type GivenHold, type LaneRecord, readLane } from './lane-record.ts';
import { createRetention } from './retention.ts';
import { createReporting, type ReportState } from './reporting.ts';
import { runScript, type Script } from './script.ts';
import { accept } from './scripts/accept.ts';
import { rebuild } from './scripts/rebuild.ts';
import { followed, needy, wake } from './scripts/steer.ts';
import { begin, record, rest, settle } from './scripts/turn.ts';
import { createSteering, type OnEnded } from './steering.ts';
import { stateLost } from './state-lost.ts';

export interface Acceptance {
  readonly runId: string;
  readonly plan: RunPlan;
  /** `differs`: any other head is new. `greater`: a higher number only. `any`: an operator wants it again. `older`: not run. */
  readonly order: 'differs' | 'greater' | 'any' | 'older';
  readonly head: { readonly field: string; readonly value: string };
  /** The lane's sequence when the caller looked; accepted only while it is the same. */
  readonly expectedSeq?: number | undefined;
  /** A person's act that it is: its line in the audit is written in the same step. */
  readonly audit?: Pick<AuditEntry, 'by' | 'via' | 'act' | 'data'> | undefined;
}

export type Accepted =
  /** `lost`: the records are gone, and nobody has seen to it yet. */
  | { readonly said: 'duplicate' | 'changed' | 'lost' }
  /** `started` has the lane now ('' where nobody was given it); `touched` have something new to report. */
  | {
      readonly said: 'accepted';
      readonly seq: number;
      readonly started: string;
      readonly touched: readonly string[];
    };

/** What a turn is: the run, and the fence that shows that nobody has taken it over. */
export interface TurnKey {
  readonly lane: string;
  readonly run: string;
  readonly fence: string;
}

/** What keeps a turn from being begun; nothing of it by default. */
export interface BeginGuards {
  /** The steps that the caller can take. */
  readonly steps?: readonly string[];
  /** So many turns in a row did not end. */
  readonly suspiciousFrom?: number | undefined;
}

export interface BegunTurn {
  readonly key: TurnKey;
  /** As it is since the fence. */
  readonly run: RunRecord;
}

/** Why there is no turn to take, and the run, where there is one. */
export interface NoTurn {
  readonly gone: 'over' | 'unknown-step' | 'suspect';
  readonly run: RunRecord | undefined;
}

export interface Entry {
  readonly kind: 'state' | 'effect' | 'note';
  readonly what: string;
  readonly data?: unknown;
  readonly fields?: Readonly<Record<string, string>>;
  readonly report?: { readonly state: ReportState; readonly text: string } | undefined;
}

export interface Settlement {
  readonly outcome: Outcome;
  readonly message: string;
  readonly report: { readonly state: ReportState; readonly text: string };
  /** The version that the lane has verified. */
  readonly verified?: string;
  readonly hold?: GivenHold;
  readonly state: 'following' | 'finished';
}

/** The lane and run records. Every change is one Lua script; see `scripts/`. */
export type LaneStore = ReturnType<typeof createLaneStore>;

/** Entries of a history that are read at once. */
const mostOfHistory = 2_000;

/** After so many cancelled runs in a row the next one may finish, or nothing would ever be live. */
const mostCancels = 3;

/** `onEnded` is told of runs that ended without a turn of their own: superseded, or cancelled while they waited. */
export function createLaneStore(redis: Redis, keys: Keys, clock: Clock, onEnded: OnEnded = () => undefined) {
  const superseded = (count = '0'): void => {
    if (Number(count) > 0) onEnded('superseded', Number(count));
  };
  const call = (script: Script, ...values: readonly (string | number)[]) =>
    runScript(redis, script, [keys.lanes], [keys.prefix, clock.now(), ...values]);

  return {
    ...createReporting(redis, keys, call),
    ...createSteering(redis, keys, call, onEnded),
    ...createRetention(redis, keys),

    async accept({ runId, plan, order, head, expectedSeq, audit }: Acceptance): Promise<Accepted> {
      const { lane, version, repository } = plan;
      const name = version.kind === 'named' ? version.name : plan.commit.slice(0, 12);
      const runFields = { plan: JSON.stringify(plan), version: version.kind === 'named' ? version.name : '' };
      const laneFields = {
        name: lane.name,
        repository: repository.fullName,
        project: lane.project,
        from: lane.from,
        to: lane.to,
        lastCommit: plan.commit,
        lastRun: runId,
      };
      const [said, seq = '0', started = '', ended, ...touched] = await call(
        accept,
        lane.id,
        runId,
        lane.policy,
        order,
        head.field,
        head.value,
        expectedSeq === undefined ? '' : String(expectedSeq),
        mostCancels,
        name,
        JSON.stringify(stateLost(clock.now())),
        ...Object.entries(runFields).flat(),
        '--',
        ...Object.entries(laneFields).flat(),
        ...(audit === undefined ? [] : ['--', audit.by, audit.via, audit.act, audit.data]),
      );
      if (said !== 'accepted') return { said: said === 'changed' || said === 'lost' ? said : 'duplicate' };
      superseded(ended);
      return { said, seq: Number(seq), started, touched };
    },

    /** Makes the record of a lane anew, on hold; with what executions use in its target. */
    async rebuild(
      { id, name, project, from, to }: LanePlan,
      repository: string,
      live: { readonly version: string; readonly commit: string } | undefined,
    ): Promise<void> {
      const fields = Object.entries({ name, repository, project, from, to }).flat();
      const hold = JSON.stringify(stateLost(clock.now()));
      await call(rebuild, id, hold, live?.version ?? '', live?.commit ?? '', ...fields);
    },

    /** Begins a turn: from now on every other turn of the run is fenced off. */
    async begin(
      { id }: Pick<RunRecord, 'id'>,
      { steps, suspiciousFrom }: BeginGuards = {},
    ): Promise<BegunTurn | NoTurn> {
      const known = steps === undefined ? '' : `,${steps.join(',')},`;
      const [said, ...fields] = await call(begin, id, known, suspiciousFrom ?? '');
      const hash = pairsOf(fields);
      const run = readRun(hash);
      if (said === 'ok' && run !== undefined)
        return { key: { lane: run.lane, run: id, fence: hash['fence'] ?? '' }, run };
      return { gone: said === 'unknown-step' || said === 'suspect' ? said : 'over', run };
    },

    async record(key: TurnKey, entry: Entry): Promise<{ said: 'ok' | 'fenced' | 'held'; reportSeq: number }> {
      const { kind, what, data, fields = {}, report } = entry;
      const [said, reportSeq] = await call(
        record,
        key.lane,
        key.run,
        key.fence,
        kind,
        what,
        data === undefined ? '' : JSON.stringify(data),
        report?.state ?? '',
        report?.text ?? '',
        ...Object.entries(fields).flat(),
      );
      return { said: said as 'ok' | 'fenced' | 'held', reportSeq: Number(reportSeq) };
    },

    async rest(key: TurnKey): Promise<void> {
      await call(rest, key.lane, key.run, key.fence);
    },

    /** Answers the run that has the lane now; undefined where this turn was fenced off. */
    async settle(key: TurnKey, end: Settlement): Promise<{ next: string } | undefined> {
      const { outcome, message, report, verified = '', state } = end;
      const [said, next = '', ended] = await call(
        settle,
        key.lane,
        key.run,
        key.fence,
        outcome,
        message,
        report.state,
        report.text,
        verified,
        end.hold === undefined ? '' : JSON.stringify(end.hold),
        state,
      );
      superseded(ended);
      return said === 'ok' ? { next } : undefined;
    },

    /** Gives idle ones of these lanes to their next runs, which it answers; some hundred lanes at a time. */
    async wake(lanes: readonly string[]): Promise<readonly string[]> {
      const [ended, ...started] = await call(wake, ...lanes);
      superseded(ended);
      return started;
    },
    /** Those of some hundred runs that do not merely wait for a turn of which there is a job. */
    async needy(runs: readonly string[], jobKeys: string): Promise<readonly string[]> {
      return call(needy, jobKeys, ...runs);
    },
    async followed(run: string): Promise<void> {
      await call(followed, run);
    },

    async run(id: string): Promise<RunRecord | undefined> {
      return readRun(await redis.hgetall(keys.run(id)));
    },
    async lane(id: string): Promise<LaneRecord | undefined> {
      const [hash, waiting] = await Promise.all([
        redis.hgetall(keys.lane(id)),
        redis.lrange(keys.queue(id), 0, -1),
      ]);
      return readLane(id, hash, waiting);
    },
    /** Ids of all lanes, sorted. */
    async laneIds(): Promise<readonly string[]> {
      return (await redis.smembers(keys.lanes)).toSorted();
    },
    /** Ids of the newest runs first. */
    async runIds(limit: number): Promise<readonly string[]> {
      return redis.zrevrange(keys.runs, 0, limit - 1);
    },
    /** Ids of the runs that still need somebody. */
    async openIds(): Promise<readonly string[]> {
      return redis.smembers(keys.open);
    },
    /** What happened, oldest first; the newest entries only where there are more than anybody reads. */
    async history(
      of: Parameters<Keys['history']>[0],
    ): Promise<readonly { at: number; what: string; data: string }[]> {
      const entries = await redis.xrevrange(keys.history(of), '+', '-', 'COUNT', mostOfHistory);
      return entries.toReversed().map(([, fields]) => {
        const hash = pairsOf(fields);
        return { at: Number(hash['at'] ?? 0), what: hash['what'] ?? '', data: hash['data'] ?? '' };
      });
    },
    /** What the lane accepted last under a field of its heads. */
    async head(lane: string, field: string): Promise<string | undefined> {
      return (await redis.hget(keys.heads(lane), field)) ?? undefined;
    },
    async laneSeq(lane: string): Promise<number> {
      return Number((await redis.hget(keys.lane(lane), 'seq')) ?? 0);
    },
  };
}

function pairsOf(fields: readonly string[]): Record<string, string> {
  const hash: Record<string, string> = {};
  for (let i = 0; i < fields.length; i += 2) hash[fields[i] ?? ''] = fields[i + 1] ?? '';
  return hash;
}
