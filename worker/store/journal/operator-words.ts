import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { Clock } from '../../../lib/core/ports/ports.ts';
import type { JournalFile } from './journal-file.ts';
import type { Keys } from '../scripts/keys.ts';
import type { LaneScript, WordArguments } from '../scripts/lane-script.ts';

/** The number of operators' actions, and how many of them could not be written to the journal. */
export interface WordCounts {
  readonly recorded: number;
  readonly failed: number;
}

/** Writes actions of operators to the journal, if there is one, before the operator gets an answer. */
export interface OperatorWords {
  readonly counts: WordCounts;
  readonly hasJournal: boolean;
  /** Runs a script and keeps its word in the journal. An error of the journal is only counted. */
  keep<Arguments, Answer>(
    script: Pick<LaneScript<Arguments, Answer>, 'isWord' | 'loses'>,
    input: Arguments,
    run: (word: WordArguments | undefined) => Promise<Answer>,
  ): Promise<Answer>;
}

interface WordsContext {
  readonly redis: Redis;
  readonly keys: Keys;
  readonly clock: Clock;
  /** Undefined for a worker without a state directory. */
  readonly journal: JournalFile | undefined;
  readonly onFailure: (error: unknown) => void;
}

const maxTextLength = 300;

export function createOperatorWords({ redis, keys, clock, journal, onFailure }: WordsContext): OperatorWords {
  let counts: WordCounts = { recorded: 0, failed: 0 };

  async function append(id: string, input: object, name: string): Promise<void> {
    try {
      const lane = await laneOf(input, redis, keys);
      await journal?.append({ id, at: clock.now(), lane, what: describeWord(name, input) });
    } catch (error) {
      counts = { ...counts, failed: counts.failed + 1 };
      onFailure(error);
    }
  }

  return {
    get counts() {
      return counts;
    },
    hasJournal: journal !== undefined,
    async keep(script, input, run) {
      const { isWord, loses = '' } = script;
      if (isWord === undefined) return run(undefined);
      const word = journal && { journal: journal.id, id: randomUUID().slice(-12) };
      const answer = await run(word);
      if (!isWord(answer, input)) return answer;
      counts = { ...counts, recorded: counts.recorded + 1 };
      if (word !== undefined) await append(word.id, Object(input), loses);
      return answer;
    },
  };
}

/** The lane that a script changes: the lane in its input, or the lane of the promotion. */
export async function laneOf(input: object, redis: Redis, keys: Keys): Promise<string | undefined> {
  const lane = textIn(input, 'lane');
  const promotion = textIn(input, 'promotion');
  if (lane !== '' || promotion === '') return lane || undefined;
  return (await redis.hget(keys.promotion(promotion), 'lane')) ?? undefined;
}

/** What scripts do, in the words of operators, if the name of the file does not say it. */
const names: Readonly<Record<string, string>> = {
  'hold-for-roll-back': 'hold for a roll-back',
  'override-freeze': 'override of a freeze',
  'pass-evidence': 'permission to continue without evidence',
  'rolled-back': 'roll-back',
  'resume-paused': 'end of a pause',
  'begin-replay': 'replay of a dead letter',
};

/** Such as `hold by ada: figures are wrong`. */
function describeWord(name: string, input: object): string {
  const audit: object = Object(Reflect.get(input, 'audit'));
  const act = textIn(audit, 'act') || (names[name] ?? name);
  const promotion = textIn(input, 'promotion');
  const by = textIn(input, 'by') || textIn(audit, 'by');
  const texts = ['hold', 'pause', 'override', 'verdict', 'rejection', 'data'].map((field) =>
    textIn(input, field),
  );
  const reason = [textIn(input, 'reason'), ...[...texts, textIn(audit, 'data')].map(reasonIn)].find(Boolean);
  const about = promotion === '' ? '' : ` of the promotion ${promotion}`;
  return `${act}${about} by ${by}${reason === undefined ? '' : `: ${reason}`}`.slice(0, maxTextLength);
}

/** The reason in JSON of a hold, a pause or an audit entry, which this program wrote. */
function reasonIn(json: string): string {
  return json === '' ? '' : textIn(Object(JSON.parse(json)), 'reason');
}

function textIn(input: object, name: string): string {
  const value: unknown = Reflect.get(input, name);
  return typeof value === 'string' ? value : '';
}
