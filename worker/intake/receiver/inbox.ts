import type { Redis } from 'ioredis';
import { errorOf } from '../../../lib/core/errors/message-of.ts';
import type { Keys } from '../../store/scripts/keys.ts';
import {
  departureOf,
  incomingId,
  incomingName,
  incomingOptions,
  takesPlace,
} from '../../store/jobs/incoming-job.ts';
import { isReplicated } from '../../store/recovery/replicas.ts';
import type { WorkQueues } from '../../store/jobs/work-queues.ts';
import type { IncomingEvent } from '../../records/incoming-event.ts';
import { moveOf } from '../ingest/ref-moves.ts';
import type { PushEvent } from '../../records/push-event.ts';
import { loadScript, type Script, type ScriptValue } from '../../../lib/redis/scripts/lua-script.ts';
import { addJob } from '../../queue/fragments.ts';

/** Stores accepted deliveries in Redis. */
export interface Inbox {
  /**
   * Stores a push or a comment's command durably, unless this delivery, or this very body under another id, was
   * stored before. Resolves only after Redis has confirmed; rejects if Redis refused, or did not answer in
   * time.
   */
  keep(event: IncomingEvent): Promise<'accepted' | 'duplicate'>;
  /**
   * Records that the deletion of a ref was answered, so that the sweep does not count it as missed, and a push
   * of what was deleted is known to be overtaken.
   */
  note(event: PushEvent): Promise<void>;
  /** Requests a sweep that compares the branches and tags of all repositories. */
  requestComparison(now: number): Promise<void>;
}

/**
 * Seconds for which a delivery is remembered: GitHub redelivers for three days, GitHub Enterprise Server for
 * longer.
 */
const rememberSeconds = 30 * 86_400;

/** As in the scripts that request a sweep. */
const sweepRequestSeconds = 86_400;

/**
 * Deliveries stored in one step. A larger batch would need fewer commands, but Redis should start with the
 * first deliveries while this process still verifies the last ones.
 */
const maxBatch = 8;

interface Waiting {
  readonly event: IncomingEvent;
  readonly resolve: (result: 'accepted' | 'duplicate') => void;
  readonly reject: (error: Error) => void;
}

/** `replicas`: how many replicas of Redis must have a delivery before it counts as stored. */
export function createInbox(
  redis: Redis,
  keys: Keys,
  queues: Pick<WorkQueues, 'ingestKey'>,
  replicas: () => number = () => 0,
): Inbox {
  const shared = { queuePrefix: queues.ingestKey(''), options: incomingOptions, rememberSeconds };
  let waiting: Waiting[] = [];

  async function send(batch: readonly Waiting[]): Promise<void> {
    const names = batch.flatMap(({ event }) => [
      keys.delivery(event.delivery),
      keys.body(event.digest),
      keys.places(event.repositoryId),
      keys.departures(event.repositoryId),
      keys.moves(event.repositoryId),
    ]);
    const events = batch.map(({ event }) => ({
      name: incomingName(event),
      id: incomingId(event),
      receivedAt: event.receivedAt,
      data: JSON.stringify(event),
      delivery: event.delivery,
      digest: event.digest,
      takesPlace: takesPlace(event),
      move: 'ref' in event ? moveOf(event) : undefined,
      departure: 'ref' in event ? departureOf(event) : undefined,
    }));
    try {
      const answers = await keepEvents(redis, names, { ...shared, events });
      if (!(await isReplicated(redis, keys.prefix, replicas())))
        throw new Error('Too few replicas of Redis have the delivery.');
      for (const [i, { resolve, reject }] of batch.entries()) {
        const result = answers[i];
        if (result === 'accepted' || result === 'duplicate') resolve(result);
        else reject(new Error(`Redis did not store the delivery: ${result ?? 'no answer'}`));
      }
    } catch (error) {
      for (const { reject } of batch) reject(errorOf(error));
    }
  }

  function sendWaiting(): void {
    const batch = waiting;
    waiting = [];
    if (batch.length > 0) void send(batch);
  }

  return {
    async keep(event) {
      const { promise, resolve, reject } = Promise.withResolvers<'accepted' | 'duplicate'>();
      waiting.push({ event, resolve, reject });
      // Everything received up to now goes into the same step: many deliveries under load, otherwise one at
      // once.
      if (waiting.length === 1) setImmediate(sendWaiting);
      if (waiting.length === maxBatch) sendWaiting();
      return promise;
    },
    async note(event) {
      const { delivery, repositoryId, receivedAt } = event;
      const departure = departureOf(event);
      // If these writes are lost, GitHub delivers once more; nothing else happens.
      const where = [keys.delivery(delivery), keys.departures(repositoryId), keys.moves(repositoryId)];
      await noteDeletion(redis, where, {
        rememberSeconds,
        receivedAt,
        move: moveOf(event),
        departure,
      }).catch(() => null);
    },
    async requestComparison(now) {
      const change = redis.multi().del(keys.comparisons);
      await change.set(keys.sweepRequested, now, 'EX', sweepRequestSeconds).exec();
    },
  };
}

/** A type, because the compiler does not accept an interface as JSON. */
type KeptEvent = {
  /** Name of its job. */
  readonly name: string;
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
  /** JSON. */
  readonly data: string;
  /** GitHub's id of it. */
  readonly delivery: string;
  /** Digest of its body. */
  readonly digest: string;
  readonly takesPlace: boolean;
  /** The old and the new commit of the ref; undefined for other events. */
  readonly move: string | undefined;
  /** What a push moved its ref away from. */
  readonly departure: string | undefined;
};

interface KeepArguments {
  /** Prefix of the keys of the queue. */
  readonly queuePrefix: string;
  /** Options of the jobs. */
  readonly options: { readonly [name: string]: ScriptValue };
  readonly rememberSeconds: number;
  readonly events: readonly KeptEvent[];
}

/**
 * Stores new events as jobs; answers for each `accepted`, `duplicate`, or the error. Keys: five for each event (see the
 * script). The script adds the job, too: BullMQ's public interface would need another step, which costs the receiver a
 * third of its CPU (decision 014).
 */
const keepEvents: Script<KeepArguments, readonly string[]> = loadScript(
  import.meta.dirname,
  'keep-events.lua',
  (answers) => answers,
  addJob,
);

interface NoteDeletionArguments {
  readonly rememberSeconds: number;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
  readonly move: string;
  readonly departure: string | undefined;
}

/** Records the delivery of a deletion. Keys: the record of the delivery, the departures and the moves of its repository. */
const noteDeletion: Script<NoteDeletionArguments, void> = loadScript(
  import.meta.dirname,
  'note-deletion.lua',
  () => undefined,
);
