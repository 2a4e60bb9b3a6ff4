import type { Redis } from 'ioredis';
import { workerName } from '../../../lib/config/worker/operator-schema.ts';
import type { Clock } from '../../../lib/core/ports/ports.ts';
import type { Keys } from '../scripts/keys.ts';
import type { GivenHold } from '../lanes/lane-record.ts';
import { toJson } from '../../../lib/redis/scripts/lua-script.ts';
import { type CheckAnswer, checkJournals, compareJournal, holdForJournals } from './journal-scripts.ts';
import { type OnOlder, stateOlder } from './state-older.ts';
import type { LeftJournal, StateDirectory } from '../journal/state-directory.ts';

interface JournalContext {
  readonly redis: Redis;
  readonly keys: Keys;
  readonly clock: Clock;
  /** The newest format of the records that this worker knows. */
  readonly format: number;
  /** Undefined for a worker without a state directory. */
  readonly directory: StateDirectory | undefined;
  readonly onOlder: OnOlder;
  /** The lanes are held, because these journals are not compared. */
  readonly onMissing: (journals: readonly string[]) => void;
  readonly onFailure: (error: unknown) => void;
}

/** Compares the journals of the workers with Redis, after a restart of Redis. */
export interface Journals {
  /**
   * If Redis was started since the last comparison, compares the journal of this worker, and the journals that stopped
   * workers left in its state directory: lanes of which Redis lost a word are held. If a worker that ran before does
   * not compare its journal, all lanes are held. Returns false while they wait for that. Throws errors of Redis.
   */
  compare(): Promise<boolean>;
}

/** The hold of a lane that an operator may have stopped. */
function journalMissing(journals: readonly string[], now: number): GivenHold {
  const which =
    journals.length === 1
      ? 'a worker that ran before has'
      : `${journals.length} workers that ran before have`;
  return {
    cause: 'journal-missing',
    by: workerName,
    via: 'worker',
    reason: `journal-missing: Redis was restarted, and ${which} not compared the journal since (${journals.join(', ')}), so an operator may have stopped this lane: start every worker with its state directory, or resume the lane`,
    since: now,
  };
}

export function createJournals(context: JournalContext): Journals {
  const { redis, keys, clock, format, directory, onOlder, onMissing, onFailure } = context;
  const common = () => ({ prefix: keys.prefix, now: clock.now(), format });

  async function ask(left: readonly string[]): Promise<CheckAnswer> {
    const journal = directory?.journal;
    const journals = { own: journal?.id, others: left, peers: journal?.peers ?? [] };
    return checkJournals(redis, [keys.lanes], { ...common(), ...journals });
  }

  async function keepPeers(ids: readonly string[]): Promise<void> {
    const { journal } = directory ?? {};
    if (journal === undefined || isSame(journal.peers, ids)) return;
    // If this fails, this worker only does not wait for a worker that Redis forgets.
    await journal.keepPeers(ids.toSorted()).catch(onFailure);
  }

  async function readLeft(): Promise<readonly LeftJournal[]> {
    try {
      return (await directory?.left()) ?? [];
    } catch (error) {
      // These journals stay uncompared until the next attempt.
      onFailure(error);
      return [];
    }
  }

  return {
    async compare() {
      const first = await ask([]);
      await keepPeers(first.registered);
      if (first.toCompare.length === 0 && first.uncompared.length === 0) return true;
      const left = await readLeft();
      const ids = left.map(({ id }) => id);
      const asked = await ask(ids);
      for (const journal of asked.toCompare) {
        const from = left.find(({ id }) => id === journal) ?? directory?.journal;
        const words = (from?.words ?? []).map(({ id, lane, what }) => ({
          id,
          lane,
          hold: toJson(stateOlder(`“${what}” is lost`, clock.now())),
        }));
        const held = await compareJournal(redis, [keys.lanes], { ...common(), journal, words });
        if (held.length > 0) onOlder([...new Set(held)]);
      }
      const now = asked.toCompare.length > 0 ? await ask(ids) : asked;
      if (!now.isLate) return !now.isWaiting;
      const hold = toJson(journalMissing(now.uncompared, clock.now()));
      if (await holdForJournals(redis, [keys.lanes], { ...common(), hold })) onMissing(now.uncompared);
      return true;
    },
  };
}

function isSame(peers: readonly string[], ids: readonly string[]): boolean {
  return peers.length === ids.length && ids.every((id) => peers.includes(id));
}
