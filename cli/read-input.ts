import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { addAbortSignal } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Failure } from '../model/failure.ts';
import type { Session } from './session.ts';

/** The text of the file that an option names, or of standard input for `-`. Throws Failure 'usage' naming the option. */
export async function readInput(
  { io: { cwd, stdin, signal }, output }: Pick<Session, 'io' | 'output'>,
  option: string,
  file: string,
): Promise<string> {
  if (file === '-') {
    // Who forgot the pipe sees what is waited for.
    output.progress.step('Reading standard input');
    return text(addAbortSignal(signal, stdin));
  }
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
