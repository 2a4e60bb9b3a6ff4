import { createHash } from 'node:crypto';

/** An action of an operator, such as a hold, as a journal stores it. */
export interface JournalWord {
  readonly id: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
  /** Id of the lane; undefined for all lanes. */
  readonly lane: string | undefined;
  /** For people. */
  readonly what: string;
}

/** The content of a journal: its actions, and the other journals that it knows. */
export interface JournalContent {
  /** Undefined for a file that was never written whole. */
  readonly id: string | undefined;
  /** The oldest first. */
  readonly words: readonly JournalWord[];
  /** The journals of all workers, as far as this one knew them. */
  readonly peers: readonly string[];
  /** Bytes up to the end of the last whole line. */
  readonly size: number;
  readonly lines: number;
}

const version = 1;

type Line =
  | { readonly kind: 'journal'; readonly version: number; readonly id: string }
  | ({ readonly kind: 'word' } & JournalWord)
  | { readonly kind: 'peers'; readonly ids: readonly string[] };

const checksumOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 16);

function writeLine(line: Line): string {
  const text = JSON.stringify(line);
  return `${checksumOf(text)} ${text}\n`;
}

export const headLine = (id: string): string => writeLine({ kind: 'journal', version, id });
export const wordLine = (word: JournalWord): string => writeLine({ kind: 'word', ...word });
export const peersLine = (ids: readonly string[]): string => writeLine({ kind: 'peers', ids });

/** Thrown if a file cannot be used as a journal; the message is the reason. */
export class JournalUnreadable extends Error {}

/**
 * Parses a journal. A last line without an end is ignored: the worker was killed while it wrote the line, so nobody
 * got an answer. Any other line with a wrong checksum counts as a lost action on any lane. Throws JournalUnreadable
 * for a file that is not a journal.
 */
export function readJournal(bytes: Buffer): JournalContent {
  const size = bytes.lastIndexOf(0x0a) + 1;
  const texts = bytes.subarray(0, size).toString('utf8').split('\n').slice(0, -1);
  const [head, ...rest] = texts.map((text) => parseLine(text));
  if (texts.length === 0) return { id: undefined, words: [], peers: [], size: 0, lines: 0 };
  if (head?.kind !== 'journal')
    throw new JournalUnreadable('its first line is not the first line of a journal');
  if (head.version !== version)
    throw new JournalUnreadable(`a newer version of Millrace wrote it (format ${head.version})`);
  const words = rest.flatMap((line, i) => {
    if (line === undefined) return [unreadable(texts[i + 1] ?? '')];
    return line.kind === 'word' ? [line] : [];
  });
  const peers = rest.findLast((line) => line?.kind === 'peers');
  return {
    id: head.id,
    words: words.map(({ id, at, lane, what }) => ({ id, at, lane, what })),
    peers: peers?.kind === 'peers' ? peers.ids : [],
    size,
    lines: texts.length,
  };
}

function parseLine(text: string): Line | undefined {
  const json = text.slice(17);
  // Written by this module, as the checksum shows.
  return text.slice(0, 16) === checksumOf(json) ? (JSON.parse(json) as Line) : undefined;
}

/** The same line is the same word, so that the lanes are held once. */
const unreadable = (text: string): JournalWord => ({
  id: checksumOf(text),
  at: 0,
  lane: undefined,
  what: 'a line of the journal that cannot be read',
});
