import type { IncomingHttpHeaders } from 'node:http';
import type { Redis } from 'ioredis';
import type { Clock } from '../../lib/core/ports.ts';
import type { Keys } from './keys.ts';
import { defineScript, runScript } from './script.ts';
import type { DeliverySubject } from '../records/delivery-subject.ts';
import type { WebhookAnswer } from '../records/webhook-answer.ts';

/** A delivery, the answer to it, and what came of it. */
export interface LoggedDelivery {
  /** GitHub's id of it; '' where it had none. */
  readonly delivery: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly event: string;
  /** 0 where it was not delivered: the worker found it by comparing heads. */
  readonly status: number;
  readonly fate: WebhookAnswer['fate'] | 'found';
  readonly why: string;
  /** Full name, as the event says; undefined where the signature did not fit. */
  readonly repository: string | undefined;
  readonly ref: string | undefined;
  /** Number of the pull request, of a comment. */
  readonly pull: number | undefined;
  /** What the lanes made of it, in words; undefined as long as nobody has taken it in. */
  readonly takenIn: string | undefined;
  readonly takenInAt: number | undefined;
}

/** What was delivered lately, for people to look at. Nothing depends on it, and nothing waits for it. */
export interface DeliveryLog {
  /** Notes what a sender was answered. Of the body only what it is about; of a stranger's nothing. */
  answered(
    headers: IncomingHttpHeaders,
    answer: Pick<WebhookAnswer, 'status' | 'fate' | 'why' | 'subject'>,
  ): void;
  /** Notes what came of a delivery, and what it is about. */
  takenIn(delivery: string, words: string, subject: DeliverySubject): void;
  /** The newest first. */
  list(limit: number): Promise<readonly LoggedDelivery[]>;
}

/** One line of the list in Redis. */
interface Line {
  readonly id: string;
  readonly at: number;
  readonly answer?: Pick<LoggedDelivery, 'event' | 'status' | 'fate' | 'why'>;
  readonly takenIn?: string;
  readonly subject?: DeliverySubject | undefined;
}

const mostLines = 1_000;
const keepSeconds = 7 * 86_400;
const longestWords = 300;

/** One command in place of five: this runs for every delivery. KEYS: list. ARGV: seconds to keep, most lines, lines. */
const push = defineScript(`
for i = 3, #ARGV do redis.call('LPUSH', KEYS[1], ARGV[i]) end
redis.call('LTRIM', KEYS[1], 0, ARGV[2] - 1)
redis.call('EXPIRE', KEYS[1], ARGV[1])
return {'ok'}
`);

/** Between two commands: what comes meanwhile goes with the next one, so that a wave of deliveries costs few. */
const gatherMs = 20;

/** Anybody can be refused as often as they like: more often is counted, not listed. */
const refusalEveryMs = 1_000;

export function createDeliveryLog(redis: Redis, keys: Keys, clock: Clock): DeliveryLog {
  const waiting: string[] = [];
  let writing = false;
  let lastRefusal = -Infinity;

  async function write(): Promise<void> {
    writing = true;
    while (waiting.length > 0) {
      const lines = waiting.splice(0);
      await runScript(redis, push, [keys.deliveries], [keepSeconds, mostLines, ...lines])
        // A line less; the push itself is safe elsewhere.
        .catch(() => null);
      await clock.sleep(gatherMs);
    }
    writing = false;
  }

  function note(line: Line): void {
    if (waiting.length >= mostLines) return;
    waiting.push(JSON.stringify(line));
    if (!writing) void write();
  }

  return {
    answered(headers, { status, fate, why, subject }) {
      const at = clock.now();
      if (fate === 'refused') {
        if (at - lastRefusal < refusalEveryMs) return;
        lastRefusal = at;
      }
      const id = wordOf(headers['x-github-delivery'], /^[0-9A-Za-z-]{1,64}$/);
      const event = wordOf(headers['x-github-event'], /^[a-z_]{1,40}$/);
      note({ id, at, answer: { event, status, fate, why }, subject });
    },
    takenIn(id, words, subject) {
      note({ id, at: clock.now(), takenIn: words.slice(0, longestWords), subject });
    },
    async list(limit) {
      const lines = (await redis.lrange(keys.deliveries, 0, -1)).map((text) => JSON.parse(text) as Line);
      return join(lines).slice(0, limit);
    },
  };
}

/** Lines of one delivery together. */
function join(lines: readonly Line[]): readonly LoggedDelivery[] {
  const outcomes = new Map<string, { readonly takenIn: string; readonly takenInAt: number }>();
  const logged: LoggedDelivery[] = [];
  for (const { id, at, answer, takenIn, subject = {} } of lines) {
    const { repository, ref, pull } = subject;
    const about = { repository, ref, pull };
    const outcome = outcomes.get(id);
    if (takenIn !== undefined && outcome === undefined) {
      outcomes.set(id, { takenIn, takenInAt: at });
      if (id.startsWith('sweep-'))
        logged.push({ delivery: id, at, ...found, ...about, takenIn, takenInAt: at });
    }
    if (answer === undefined) continue;
    // What was turned away as a duplicate has the id of what was taken.
    const known = answer.fate === 'accepted' ? outcome : undefined;
    logged.push({
      delivery: id,
      at,
      ...answer,
      ...about,
      takenIn: known?.takenIn,
      takenInAt: known?.takenInAt,
    });
  }
  return logged;
}

const found = { event: 'push', status: 0, fate: 'found', why: 'found by comparing heads' } as const;

function wordOf(header: string | string[] | undefined, form: RegExp): string {
  return typeof header === 'string' && form.test(header) ? header : '';
}
