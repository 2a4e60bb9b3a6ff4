import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { addAbortSignal } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Failure } from '../../lib/core/failure.ts';
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
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
    throw new Failure('usage', {
      message: code === 'EISDIR' ? `${file} is a folder.` : `The file ${file} cannot be read (${code}).`,
      where: { input: option },
      hint:
        code === 'ENOENT' && /[*?{]/.test(file)
          ? `Give ${option} the paths of files: your shell has not put any in place of the glob, so none fits it.`
          : `Give ${option} the path of a file that is there, relative to the folder you are in.`,
      cause,
    });
  }
}
