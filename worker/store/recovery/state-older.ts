import type { Redis } from 'ioredis';
import { messageOf } from '../../../lib/core/errors/message-of.ts';
import { workerName } from '../../../lib/config/worker/operator-schema.ts';
import type { Clock } from '../../../lib/core/ports/ports.ts';
import type { Keys } from '../scripts/keys.ts';
import { laneOf, type OperatorWords } from '../journal/operator-words.ts';
import type { GivenHold } from '../lanes/lane-record.ts';
import { toJson } from '../../../lib/redis/scripts/lua-script.ts';
import type { CallLaneScript, LaneScript } from '../scripts/lane-script.ts';
import { holdOlder } from './state-scripts.ts';
import type { Recorded, StateMemory } from './state-memory.ts';

/**
 * The hold of a lane whose records are older than what happened, because Redis lost its newest records (promise
 * 39).
 */
export function stateOlder(finding: string, now: number): GivenHold {
  return {
    cause: 'state-older',
    by: workerName,
    via: 'worker',
    reason: `state-older: Redis came back with older records: ${finding}; check the target and its executions, then resume the lane`,
    since: now,
  };
}

/** Called with the lanes that were put on hold because Redis lost its newest records. */
export type OnOlder = (lanes: readonly string[]) => void;

/**
 * Calls scripts, and compares with the memory of this process. If Redis lost its newest records, the affected lanes
 * are put on hold first; then the call is repeated on the records that exist.
 */
export function rememberCalls(
  plain: CallLaneScript,
  memory: StateMemory,
  {
    redis,
    keys,
    clock,
    onOlder,
    words,
  }: {
    readonly redis: Redis;
    readonly keys: Keys;
    readonly clock: Clock;
    readonly onOlder: OnOlder;
    readonly words: OperatorWords;
  },
): CallLaneScript {
  async function holdLost(stored: number): Promise<void> {
    const lost = memory.takeLost(stored);
    const now = clock.now();
    const hold = (what: string): string => toJson(stateOlder(`“${what}” is lost`, now));
    const each = (some: Readonly<Record<string, string>>): Record<string, string> =>
      Object.fromEntries(Object.entries(some).map(([id, what]) => [id, hold(what)]));
    const held = await holdOlder(redis, [keys.lanes], {
      prefix: keys.prefix,
      now,
      worker: memory.worker,
      call: lost.call,
      lanes: each(lost.lanes),
      promotions: each(lost.promotions),
      all: lost.all === undefined ? undefined : hold(lost.all),
    });
    if (held.length > 0) onOlder([...new Set(held)]);
  }

  async function recorded<Arguments, Answer>(
    script: LaneScript<Arguments, Answer>,
    input: Arguments,
  ): Promise<Recorded | undefined> {
    const what = recordedBy(script, input);
    // The promotion may be gone with the records.
    if (what?.promotion === undefined || what.lane !== undefined || script.isWord === undefined) return what;
    return { ...what, lane: await laneOf(Object(input), redis, keys) };
  }

  return async (script, input) => {
    for (;;) {
      const now = clock.now();
      const call = memory.next(now);
      try {
        const answer = await words.keep(script, input, async (word) =>
          plain(script, { ...input, memory: call, word }),
        );
        if (call !== undefined) memory.acknowledged(call, now, await recorded(script, input));
        return answer;
      } catch (error) {
        const stored = storedIn(error);
        if (stored === undefined) throw error;
        await holdLost(stored);
      }
    }
  };
}

/** The number of the last call that Redis knows, in the error of a script; undefined for any other error. */
function storedIn(error: unknown): number | undefined {
  const [, stored] = /^STATEOLDER (\d+)/.exec(messageOf(error)) ?? [];
  return stored === undefined ? undefined : Number(stored);
}

function recordedBy<Arguments, Answer>(
  { loses }: Pick<LaneScript<Arguments, Answer>, 'loses'>,
  input: Arguments,
): Recorded | undefined {
  const text = (name: string): string | undefined => {
    const value: unknown = typeof input === 'object' && input !== null ? Reflect.get(input, name) : undefined;
    return typeof value === 'string' && value !== '' ? value : undefined;
  };
  const rest = (Reflect.get(Object(input), 'rest') ?? []) as readonly { readonly what: string }[];
  const named = rest.map(({ what }) => what).filter((what) => what !== '');
  // An entry without a name only records what a person sees during a wait.
  if (loses === undefined || (Reflect.get(Object(input), 'what') === '' && named.length === 0))
    return undefined;
  const details = ['what', 'name', 'outcome', 'cause', 'data', 'pause', 'hold'].flatMap(
    (name) => text(name) ?? [],
  );
  const what = [loses, ...named, ...details].join(' ').slice(0, 300);
  return { lane: text('lane'), promotion: text('promotion'), what };
}
