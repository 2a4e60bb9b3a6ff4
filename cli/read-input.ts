import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { addAbortSignal } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Failure } from '../model/failure.ts';
import type { Io } from './io.ts';

/** The text of the file that an option names, or of standard input for `-`. Throws Failure 'usage' naming the option. */
export async function readInput({ cwd, stdin, signal }: Io, option: string, file: string): Promise<string> {
  if (file === '-') return text(addAbortSignal(signal, stdin));
  try {
    return await readFile(path.resolve(cwd, file), 'utf8');
  } catch (cause) {
    throw new Failure('usage', {
      message: `The file ${file} cannot be read (${cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown'}).`,
      where: { input: option },
      mend: `Give ${option} the path of a file that is there, relative to the folder you are in.`,
      cause,
    });
  }
}
