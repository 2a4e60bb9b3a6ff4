import type { IncomingHttpHeaders } from 'node:http';
import type { Redis } from 'ioredis';
import type { Clock } from '../../../lib/core/ports/ports.ts';
import type { Keys } from '../scripts/keys.ts';
import { deliveryHeaders } from '../../records/delivery-headers.ts';
import type { DeliverySubject } from '../../records/delivery-subject.ts';
import type { NoPromotion } from '../../records/ingest-result.ts';
import { isFoundBySweep } from '../../records/push-event.ts';
import type { WebhookAnswer } from '../../records/webhook-answer.ts';
import { loadScript, type Script } from '../../../lib/redis/scripts/lua-script.ts';

/** A delivery in the log: its answer, and the result of its ingest. */
export interface LoggedDelivery {
  /** GitHub's id; '' if it had none. */
  readonly delivery: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly event: string;
  /** 0 if it was not delivered: the worker found it by comparing heads. */
  readonly status: number;
  readonly result: WebhookAnswer['result'] | 'found';
  readonly reason: string;
  /** Full name, as the event says; undefined if the signature was invalid. */
  readonly repository: string | undefined;
  readonly ref: string | undefined;
  /** Number of the pull request, for a comment. */
  readonly pull: number | undefined;
  /** The result of the ingest as text; undefined before the ingest. */
  readonly ingestResult: string | undefined;
  /** Why the push started no promotion; undefined if it did, before the ingest, and for a comment. */
  readonly noPromotion: NoPromotion | undefined;
  readonly ingestedAt: number | undefined;
}

/** A log of recent deliveries, for people. No other part of the worker depends on it or waits for it. */
export interface DeliveryLog {
  /** Records an answer. Keeps only the subject of the body, and nothing of an unsigned body. */
  answered(
    headers: IncomingHttpHeaders,
    answer: Pick<WebhookAnswer, 'status' | 'result' | 'reason' | 'subject'>,
  ): void;
  /** Records the result of a delivery's ingest, and its subject. */
  ingestResult(delivery: string, words: string, subject: DeliverySubject, noPromotion?: NoPromotion): void;
  /** The newest first. */
  list(limit: number): Promise<readonly LoggedDelivery[]>;
  /** Writes at once what waits for other lines. */
  close(): Promise<void>;
}

/** One line of the list in Redis. */
interface Line {
  readonly id: string;
  readonly at: number;
  readonly answer?: Pick<LoggedDelivery, 'event' | 'status' | 'result' | 'reason'>;
  readonly ingestResult?: string;
  readonly noPromotion?: NoPromotion | undefined;
  readonly subject?: DeliverySubject | undefined;
}

const maxLines = 1_000;
/** A list of their own, and a short one: anyone can cause them, and they must not displace the others. */
const maxRefusals = 20;
const keepSeconds = 7 * 86_400;
const maxTextLength = 300;

/**
 * How long lines wait for others, which go with the same command: the lines of a burst, and the result of a delivery whose ingest takes
 * no longer.
 */
const gatherMs = 50;

/** A worker that ends waits no longer for its last lines. */
const closeWithinMs = 1_000;

/** Anyone can cause refusals and answers 503 at any rate: more frequent ones are counted, not listed. */
const refusalEveryMs = 1_000;

export function createDeliveryLog(redis: Redis, keys: Keys, clock: Clock): DeliveryLog {
  const lines = openLines(redis, keys.deliveries, maxLines, clock);
  const refusals = openLines(redis, keys.refusedDeliveries, maxRefusals, clock);
  let lastRefusal = -Infinity;

  return {
    answered(headers, { status, result, reason, subject }) {
      const at = clock.now();
      const { id, event } = deliveryHeaders(headers);
      const line: Line = { id, at, answer: { event, status, result, reason }, subject };
      if (result !== 'refused' && result !== 'unavailable') return lines.note(line);
      if (at - lastRefusal < refusalEveryMs) return;
      lastRefusal = at;
      refusals.note(line);
    },
    ingestResult(id, words, subject, noPromotion) {
      lines.note({ id, at: clock.now(), ingestResult: words.slice(0, maxTextLength), noPromotion, subject });
    },
    async list(limit) {
      const [listed, refused] = await Promise.all([lines.read(), refusals.read()]);
      return [...join(listed), ...join(refused)].toSorted((a, b) => b.at - a.at).slice(0, limit);
    },
    async close() {
      await Promise.all([lines.close(), refusals.close()]);
    },
  };
}

/** A list of lines in Redis with at most `max` lines. */
function openLines(redis: Redis, key: string, max: number, clock: Clock) {
  const waiting: string[] = [];
  const closing = new AbortController();
  let writing: Promise<void> | undefined;

  async function write(): Promise<void> {
    while (waiting.length > 0) {
      await clock.sleep(gatherMs, closing.signal).catch(() => undefined);
      const lines = waiting.splice(0);
      await addDeliveries(redis, [key], { lines, maxLines: max, keepSeconds })
        // The log misses a line; the push itself is stored elsewhere.
        .catch(() => null);
    }
    writing = undefined;
  }

  return {
    note(line: Line): void {
      if (waiting.length >= max) return;
      waiting.push(JSON.stringify(line));
      writing ??= write();
    },
    /** Writes at once what waits; not for long, because Redis may not answer. */
    async close(): Promise<void> {
      closing.abort();
      const over = new AbortController();
      const late = clock.sleep(closeWithinMs, over.signal).catch(() => undefined);
      await Promise.race([writing, late]);
      over.abort();
    },
    /** The newest first. */
    async read(): Promise<readonly Line[]> {
      return (await redis.lrange(key, 0, -1)).map((text) => JSON.parse(text) as Line);
    },
  };
}

/** Joins the lines of each delivery. */
function join(lines: readonly Line[]): readonly LoggedDelivery[] {
  const outcomes = new Map<string, Pick<LoggedDelivery, 'ingestResult' | 'noPromotion' | 'ingestedAt'>>();
  const none = { ingestResult: undefined, noPromotion: undefined, ingestedAt: undefined };
  const logged: LoggedDelivery[] = [];
  for (const { id, at, answer, ingestResult, noPromotion, subject = {} } of lines) {
    const { repository, ref, pull } = subject;
    const about = { repository, ref, pull };
    const ingested = outcomes.get(id);
    if (ingestResult !== undefined && ingested === undefined) {
      const outcome = { ingestResult, noPromotion, ingestedAt: at };
      outcomes.set(id, outcome);
      if (isFoundBySweep({ delivery: id }))
        logged.push({ delivery: id, at, ...foundBySweep, ...about, ...outcome });
    }
    if (answer === undefined) continue;
    // A rejected duplicate has the id of the accepted delivery.
    const outcome = (answer.result === 'accepted' ? ingested : undefined) ?? none;
    logged.push({ delivery: id, at, ...answer, ...about, ...outcome });
  }
  return logged;
}

const foundBySweep = {
  event: 'push',
  status: 0,
  result: 'found',
  reason: 'found without a webhook, by comparing branches and tags with GitHub',
} as const;

interface AddArguments {
  /** Oldest first. */
  readonly lines: readonly string[];
  readonly maxLines: number;
  readonly keepSeconds: number;
}

/** Adds lines to the list of deliveries. Key: the list. */
const addDeliveries: Script<AddArguments, void> = loadScript(
  import.meta.dirname,
  'add-deliveries.lua',
  () => undefined,
);
