import { messageOf } from '../../../lib/core/errors/message-of.ts';
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { access, mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { type FileLock, tryFileLock } from '../../../lib/core/files/file-lock.ts';
import { type JournalFile, openJournal } from './journal-file.ts';
import { JournalUnreadable, type JournalWord, readJournal } from './journal-lines.ts';

/** A journal that no running worker uses. */
export interface LeftJournal {
  readonly id: string;
  readonly words: readonly JournalWord[];
}

/** The folder with the journals of operators' actions. Several workers may share it. */
export interface StateDirectory {
  readonly journal: JournalFile;
  /** The journals that workers left which no longer run. */
  left(): Promise<readonly LeftJournal[]>;
  close(): Promise<void>;
}

const fileForm = /^words-[\w-]+\.journal$/;

/**
 * Opens the folder, and creates it if it does not exist. The worker gets a journal that no running worker uses.
 * @throws Failure `state-directory`
 */
export async function openStateDirectory(folder: string): Promise<StateDirectory> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    const names = (await readdir(folder)).filter((name) => fileForm.test(name)).toSorted();
    const { lock, file } = firstFree(folder, names);
    const journal = await openOwn(file, lock);
    return {
      journal,
      left: () => readLeft(folder, file),
      async close() {
        await journal.close();
        lock.release();
      },
    };
  } catch (error) {
    throw asFailure(error, folder);
  }
}

/** Locks the first journal that no running worker has, or a new one. */
function firstFree(
  folder: string,
  names: readonly string[],
): { readonly lock: FileLock; readonly file: string } {
  for (const name of [...names, `words-${randomUUID()}.journal`]) {
    const file = path.join(folder, name);
    const lock = tryFileLock(lockOf(file));
    if (lock !== undefined) return { lock, file };
  }
  throw new Error('a new journal is locked');
}

const lockOf = (file: string): string => `${file}.lock`;

async function openOwn(file: string, lock: FileLock): Promise<JournalFile> {
  try {
    return await openJournal(file, randomUUID());
  } catch (error) {
    lock.release();
    throw error instanceof JournalUnreadable ? unusable(file, error.message) : error;
  }
}

async function readLeft(folder: string, ownFile: string): Promise<readonly LeftJournal[]> {
  const journals: LeftJournal[] = [];
  for (const name of (await readdir(folder)).filter((entry) => fileForm.test(entry))) {
    const file = path.join(folder, name);
    const lock = file === ownFile ? undefined : tryFileLock(lockOf(file));
    if (lock === undefined) continue;
    try {
      const { id, words } = readJournal(await readFile(file));
      if (id !== undefined) journals.push({ id, words });
    } catch (error) {
      // A worker that starts with this journal reports what is wrong.
      if (!(error instanceof JournalUnreadable)) throw error;
    } finally {
      lock.release();
    }
  }
  return journals;
}

function unusable(file: string, why: string): Failure {
  return new Failure('state-directory', {
    message: `The journal ${file} cannot be used: ${why}.`,
    where: { file },
    hint: 'Start the version of Millrace that wrote it. If the file is damaged, move it away, start the worker, and hold each lane that an operator may have stopped.',
  });
}

function asFailure(error: unknown, folder: string): Failure {
  if (error instanceof Failure) return error;
  return new Failure('state-directory', {
    message: `The state directory ${folder} cannot be used: ${messageOf(error)}.`,
    where: { input: 'state-directory' },
    cause: error,
  });
}
