import { type FileHandle, open, readFile, rename } from 'node:fs/promises';
import path from 'node:path';
import { headLine, type JournalWord, peersLine, readJournal, wordLine } from './journal-lines.ts';

/** The journal of this worker, open for writing: a file with the actions of operators. */
export interface JournalFile {
  readonly id: string;
  /** The oldest first. */
  readonly words: readonly JournalWord[];
  readonly peers: readonly string[];
  /** Resolves when the word is on disk. Throws the error of the file system. */
  append(word: JournalWord): Promise<void>;
  /** Keeps the journals of all workers. */
  keepPeers(ids: readonly string[]): Promise<void>;
  close(): Promise<void>;
}

interface JournalLimits {
  /** Lines from which the file is written again. */
  readonly maxLines: number;
  /** Words that it then keeps. Redis knows more than twice as many (`lane-rules.lua`). */
  readonly keptWords: number;
}

const usualLimits: JournalLimits = { maxLines: 1_000, keptWords: 500 };

/** Opens a journal, which may not exist yet. Throws JournalUnreadable, and errors of the file system. */
export async function openJournal(
  file: string,
  freshId: string,
  { maxLines, keptWords } = usualLimits,
): Promise<JournalFile> {
  const contents = readJournal(await readFile(file).catch(emptyIfAbsent));
  const id = contents.id ?? freshId;
  let { peers, size, lines } = contents;
  let words = contents.words;
  let handle: FileHandle | undefined;
  let isBroken = contents.id === undefined;
  let last: Promise<unknown> = Promise.resolve();

  /** One after the other. */
  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = last.then(work);
    last = result.catch(() => undefined);
    return result;
  }

  async function write(line: string): Promise<void> {
    if (isBroken) await rewrite();
    const bytes = Buffer.from(line);
    // After an error nobody knows what of the file is on disk: the system may report success for a second attempt.
    isBroken = true;
    handle ??= await open(file, 'r+');
    const { bytesWritten } = await handle.write(bytes, 0, bytes.length, size);
    // A disk that is nearly full takes a part without an error.
    if (bytesWritten < bytes.length) throw new Error('the disk is full');
    await handle.sync();
    isBroken = false;
    size += bytes.length;
    lines += 1;
  }

  /** Writes the file again: first to another file, which replaces it once it is whole. */
  async function rewrite(): Promise<void> {
    const kept = newest(words, keptWords);
    const text = [headLine(id), ...kept.map((word) => wordLine(word)), peersLine(peers)].join('');
    const next = `${file}.next`;
    const writing = await open(next, 'w', 0o600);
    try {
      await writing.writeFile(text);
      await writing.sync();
    } finally {
      await writing.close();
    }
    await rename(next, file);
    await syncFolder(path.dirname(file));
    await handle?.close().catch(() => undefined);
    handle = undefined;
    isBroken = false;
    words = kept;
    size = Buffer.byteLength(text);
    lines = kept.length + 2;
  }

  if (isBroken) await rewrite();

  return {
    id,
    get words() {
      return words;
    },
    get peers() {
      return peers;
    },
    append: (word) =>
      inTurn(async () => {
        await write(wordLine(word));
        words = [...words, word];
        // The word is on disk. If this fails, the next line tries it again.
        if (lines > maxLines) await rewrite().catch(() => undefined);
      }),
    keepPeers: (ids) =>
      inTurn(async () => {
        await write(peersLine(ids));
        peers = ids;
      }),
    close: () =>
      inTurn(async () => {
        await handle?.close();
        handle = undefined;
      }),
  };
}

/**
 * The newest words, after one word in place of all dropped ones. It has the id of the last dropped word: if Redis does
 * not know that one, it may lack each of them.
 */
function newest(words: readonly JournalWord[], count: number): readonly JournalWord[] {
  const dropped = words.at(-count - 1);
  if (dropped === undefined) return words;
  const what = 'actions from before the journal was shortened';
  return [{ id: dropped.id, at: dropped.at, lane: undefined, what }, ...words.slice(-count)];
}

/** A new name in a folder is on disk only once the folder is. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function emptyIfAbsent(error: unknown): Buffer {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return Buffer.alloc(0);
  throw error;
}
