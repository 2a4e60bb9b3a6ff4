import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { pipeline } from 'node:stream/promises';
import * as z from 'zod';
import { Failure } from '../../lib/core/errors/failure.ts';
import type { StoredKey } from '../store/recovery/snapshot.ts';

/** The first line of a backup file: what the backup contains, and which version made it. */
export interface BackupHeader {
  /** The format of the records. */
  readonly format: number;
  /** The version of Millrace that made it. */
  readonly millrace: string;
  /** The beginning of the names of all keys. */
  readonly prefix: string;
  /** When it was made, ISO 8601. */
  readonly at: string;
}

const header = z.object({
  type: z.literal('millrace-backup'),
  form: z.literal(1),
  format: z.int(),
  millrace: z.string(),
  prefix: z.string(),
  at: z.iso.datetime(),
});
const key = z.object({ name: z.string(), expiresAt: z.int().optional(), dump: z.base64() });
const end = z.object({ type: z.literal('end'), keys: z.int(), sha256: z.string() });

/**
 * Writes a backup: a header, one line of JSON for each key, and an end with the number of keys and the SHA-256 of
 * all lines before. The file is complete, or stays as it was; only its owner can read it. Rejects with the file
 * system's error.
 */
export async function writeBackup(
  file: string,
  about: BackupHeader,
  entries: readonly StoredKey[],
): Promise<void> {
  const hash = createHash('sha256');
  function* lines(): Generator<string> {
    const all = function* (): Generator<object> {
      yield { type: 'millrace-backup', form: 1, ...about };
      for (const { name, expiresAt, dump } of entries)
        yield { name, expiresAt, dump: dump.toString('base64') };
    };
    for (const value of all()) {
      const line = `${JSON.stringify(value)}\n`;
      hash.update(line);
      yield line;
    }
    yield `${JSON.stringify({ type: 'end', keys: entries.length, sha256: hash.digest('hex') })}\n`;
  }
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    await pipeline(lines, createWriteStream(temporary, { flags: 'wx', mode: 0o600, flush: true }));
    await rename(temporary, file);
  } catch (error) {
    await rm(temporary, { force: true });
    throw error;
  }
}

/**
 * A backup that was checked by reading it once: its header, the number of its keys, and a way to read the keys
 * again.
 */
export interface Backup extends BackupHeader {
  readonly keys: number;
  /** Undefined if it has none. */
  readonly first: StoredKey | undefined;
  readonly entries: () => AsyncGenerator<StoredKey>;
}

/** Reads a backup and checks that it is complete. Throws Failure 'usage' if it is not, and the file system's error. */
export async function readBackup(file: string): Promise<Backup> {
  const hash = createHash('sha256');
  let about: BackupHeader | undefined;
  let first: StoredKey | undefined;
  let keys = 0;
  for await (const line of linesOf(file)) {
    const value = parse(line);
    if (about === undefined) {
      about = header.safeParse(value).data;
      if (about === undefined) throw notABackup(file, 'its first line is not the header of a backup');
    } else {
      const last = end.safeParse(value).data;
      if (last !== undefined) {
        if (last.keys !== keys || last.sha256 !== hash.digest('hex'))
          throw notABackup(file, 'its content does not fit its checksum');
        const { format, millrace, prefix, at } = about;
        return { format, millrace, prefix, at, keys, first, entries: () => entriesOf(file) };
      }
      const entry = readKey(value);
      if (entry?.name.startsWith(`${about.prefix}:`) !== true)
        throw notABackup(file, `line ${keys + 2} is not a record`);
      first ??= entry;
      keys += 1;
    }
    hash.update(`${line}\n`);
  }
  throw notABackup(file, 'it ends before its last line');
}

async function* entriesOf(file: string): AsyncGenerator<StoredKey> {
  for await (const line of linesOf(file)) {
    const entry = readKey(parse(line));
    if (entry !== undefined) yield entry;
  }
}

async function* linesOf(file: string): AsyncGenerator<string> {
  // The names are JSON, so a line has no other end.
  yield* createInterface({ input: createReadStream(file, 'utf8'), crlfDelay: Infinity });
}

function readKey(value: unknown): StoredKey | undefined {
  const read = key.safeParse(value).data;
  return read && { name: read.name, expiresAt: read.expiresAt, dump: Buffer.from(read.dump, 'base64') };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line) as unknown;
  } catch {
    return undefined;
  }
}

function notABackup(file: string, reason: string): Failure {
  return new Failure('usage', {
    message: `The backup cannot be restored: ${reason}. Nothing was changed.`,
    where: { file },
    hint: 'Give a file that `millrace worker backup` wrote, and that was copied whole.',
  });
}
