import type { Redis } from 'ioredis';
import type { Clock } from '../../../../lib/core/ports/ports.ts';
import { loadScript, type Script, statusIn } from '../../../../lib/redis/scripts/lua-script.ts';
import type { WriteMark } from '../../../rate-limit/write-budget.ts';
import { type CommentAnswer, commentName } from '../../../records/comment-answer.ts';
import type { Keys } from '../../../store/scripts/keys.ts';

/** The plans that an answer shows: digests by the ids of their promotions. */
export type AnsweredPlans = Readonly<Record<string, string>>;

/** An answer that one sender has for the time of its lease. */
export interface TakenAnswer {
  /** The name of the comment. */
  readonly name: string;
  readonly answer: CommentAnswer;
  /** The plans of a write that may have taken effect; undefined if there is none. */
  readonly open: AnsweredPlans | undefined;
  /** End of the lease, in milliseconds since the epoch. */
  readonly leaseUntil: number;
}

/** The answers to comments, shared by all workers. Each stays until it is written or given up. */
export interface AnswerOutbox {
  /** Adds an answer, unless the comment got one before. */
  offer(answer: CommentAnswer): Promise<void>;
  /** Takes an answer that is due; no other worker gets it for `leaseMs`. */
  take(leaseMs: number): Promise<TakenAnswer | undefined>;
  /** The mark of a write that begins. It is removed once GitHub has refused the write, unless an earlier one is uncertain. */
  mark(taken: TakenAnswer, plans: AnsweredPlans): WriteMark;
  /**
   * Returns an answer. `laterMs`: when it is due again; undefined if it has ended. `hadNoEffect`: GitHub refused all that was written.
   * `late`: another sender had it in between; GitHub is then read once more, because the comment may have two answers.
   */
  give(
    taken: TakenAnswer,
    options: { readonly laterMs?: number | undefined; readonly hadNoEffect?: boolean },
  ): Promise<'ok' | 'late'>;
}

/** As long as a delivery is remembered: the same comment is not processed again later. */
const keepSeconds = 30 * 86_400;

/** The field that is set while the result of a write is unknown. */
const openField = 'open';

export function createAnswerOutbox(
  redis: Redis,
  { answers: due, answer: keyOf }: Pick<Keys, 'answers' | 'answer'>,
  clock: Clock,
): AnswerOutbox {
  return {
    async offer(answer) {
      const name = commentName(answer);
      const input = { now: clock.now(), name, answer: JSON.stringify(answer), keepSeconds };
      await offerAnswer(redis, [due, keyOf(name)], input);
    },
    async take(leaseMs) {
      const now = clock.now();
      const leaseUntil = now + leaseMs;
      const taken = await takeAnswer(redis, [due], { prefix: keyOf(''), now, leaseUntil });
      return taken && { ...taken, leaseUntil };
    },
    mark: ({ name }, plans) => ({
      key: keyOf(name),
      fields: { [openField]: JSON.stringify(plans) },
      keepSeconds,
    }),
    async give({ name, leaseUntil }, { laterMs, hadNoEffect = false }) {
      const now = clock.now();
      const at = laterMs === undefined ? undefined : now + laterMs;
      return returnAnswer(redis, [due, keyOf(name)], { now, name, leaseUntil, at, hadNoEffect });
    },
  };
}

interface OfferArguments {
  /** Milliseconds since the epoch. */
  readonly now: number;
  readonly name: string;
  /** As JSON. */
  readonly answer: string;
  readonly keepSeconds: number;
}

/** Adds an answer, unless the comment got one before. Keys: the answers by due time, the record of this one. */
const offerAnswer: Script<OfferArguments, void> = loadScript(
  import.meta.dirname,
  'offer-answer.lua',
  () => undefined,
);

interface TakeArguments {
  /** Prefix of the keys of the records. */
  readonly prefix: string;
  /** Both in milliseconds since the epoch. */
  readonly now: number;
  readonly leaseUntil: number;
}

/** Takes an answer that is due; undefined if none is. Key: the answers by due time. */
const takeAnswer: Script<TakeArguments, Omit<TakenAnswer, 'leaseUntil'> | undefined> = loadScript(
  import.meta.dirname,
  'take-answer.lua',
  ([name = '', answer = '', open = '']) =>
    name === ''
      ? undefined
      : {
          name,
          // Written by our own scripts only.
          answer: JSON.parse(answer) as CommentAnswer,
          open: open === '' ? undefined : (JSON.parse(open) as AnsweredPlans),
        },
);

interface ReturnArguments {
  readonly now: number;
  readonly name: string;
  /** As it was taken. */
  readonly leaseUntil: number;
  /** When it is due again; undefined if it has ended. */
  readonly at: number | undefined;
  readonly hadNoEffect: boolean;
}

/** Returns an answer after an attempt. Keys: the answers by due time, the record of this one. */
const returnAnswer: Script<ReturnArguments, 'ok' | 'late'> = loadScript(
  import.meta.dirname,
  'return-answer.lua',
  statusIn('ok', 'late'),
);
