import { createHash, randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { open, unlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { makeFolder } from './make-folder.ts';
import { writeBlocks } from './write-blocks.ts';

/** A received file that no artifact refers to yet. */
export interface ArrivedFile {
  readonly sha256: string;
  readonly bytes: number;
  readonly place: string;
}

/** Stores uploaded files by the SHA-256 of their content. Equal content is stored once. */
export interface FileStore {
  /** Streams a file to a temporary path. `onChunk` receives every chunk and may throw to refuse the file. */
  receive(
    source: Readable | AsyncIterable<Uint8Array>,
    onChunk: (chunk: Uint8Array) => void,
  ): Promise<ArrivedFile>;
  discard(files: readonly ArrivedFile[]): Promise<void>;
  /** Moves files to their final path and runs `record`. If that throws, the files are removed. Synchronous. */
  keep<Result>(files: readonly ArrivedFile[], record: () => Result): Result;
  /** Stores a text that is in memory. */
  put(text: string): { readonly sha256: string; readonly bytes: number };
  read(sha256: string): Buffer;
  /** Removes leftovers of a crash: temporary files, and files that no artifact refers to. */
  sweep(named: ReadonlySet<string>): void;
  /** Removes unreferenced files, except those that are being received. */
  keepOnly(named: ReadonlySet<string>): void;
  close(): void;
}

/** Opens the store in a folder. @throws Failure `storage-failed` if the folder cannot be used */
export function openFileStore(data: string): FileStore {
  const temporary = data === ':memory:';
  const root = temporary ? mkdtempSync(join(tmpdir(), 'millrace-platform-')) : join(data, 'files');
  const arriving = join(root, 'arriving');
  makeFolder(arriving);
  const placeOf = (sha256: string) => join(root, sha256.slice(0, 2), sha256);
  const keepOnly = (named: ReadonlySet<string>) => {
    for (const folder of readdirSync(root, { withFileTypes: true })) {
      // Others may put files here, such as a file manager.
      if (folder.name === 'arriving' || !folder.isDirectory()) continue;
      for (const name of readdirSync(join(root, folder.name)))
        if (!named.has(name)) rmSync(join(root, folder.name, name), { force: true });
    }
  };
  return {
    async receive(source, onChunk) {
      const place = join(arriving, randomUUID());
      // Opened before anything can fail: a file that is opened later would be created again after it was removed.
      const target = await open(place, 'wx', 0o600);
      try {
        return { ...(await writeBlocks(source, target, onChunk)), place };
      } catch (error) {
        await unlink(place).catch(() => undefined);
        throw error;
      } finally {
        await target.close();
      }
    },
    async discard(files) {
      await Promise.all(files.map((file) => unlink(file.place).catch(() => undefined)));
    },
    keep(files, record) {
      const made: string[] = [];
      try {
        for (const file of files) {
          const place = placeOf(file.sha256);
          if (existsSync(place)) continue;
          mkdirSync(join(root, file.sha256.slice(0, 2)), { recursive: true });
          renameSync(file.place, place);
          made.push(place);
        }
        return record();
      } catch (error) {
        for (const place of made) rmSync(place, { force: true });
        throw error;
      }
    },
    put(text) {
      const sha256 = createHash('sha256').update(text).digest('hex');
      const place = placeOf(sha256);
      if (!existsSync(place)) {
        const first = join(arriving, randomUUID());
        writeFileSync(first, text, { flag: 'wx', mode: 0o600 });
        mkdirSync(join(root, sha256.slice(0, 2)), { recursive: true });
        renameSync(first, place);
      }
      return { sha256, bytes: Buffer.byteLength(text) };
    },
    read: (sha256) => readFileSync(placeOf(sha256)),
    sweep(named) {
      for (const name of readdirSync(arriving)) rmSync(join(arriving, name), { force: true });
      keepOnly(named);
    },
    keepOnly,
    close() {
      if (temporary) rmSync(root, { recursive: true, force: true });
    },
  };
}
