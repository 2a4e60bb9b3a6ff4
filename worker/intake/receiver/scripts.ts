import { addJob } from '../../queue/fragments.ts';
import { loadScript, type Script, type ScriptValue } from '../../../lib/redis/scripts/lua-script.ts';

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

export interface KeepArguments {
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
export const keepEvents: Script<KeepArguments, readonly string[]> = loadScript(
  import.meta.dirname,
  'keep-events.lua',
  (answers) => answers,
  addJob,
);

export interface NoteDeletionArguments {
  readonly rememberSeconds: number;
  /** Milliseconds since the epoch. */
  readonly receivedAt: number;
  readonly move: string;
  readonly departure: string | undefined;
}

/** Records the delivery of a deletion. Keys: the record of the delivery, the departures and the moves of its repository. */
export const noteDeletion: Script<NoteDeletionArguments, void> = loadScript(
  import.meta.dirname,
  'note-deletion.lua',
  () => undefined,
);
