import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { addAbortSignal } from 'node:stream';
import { text } from 'node:stream/consumers';
import { Failure } from '../../lib/core/failure.ts';
import type { Session } from './session.ts';

/** The text of the file that an option refers to, or of standard input for `-`. Throws Failure 'usage' with the option. */
export async function readInput(
  { io: { cwd, stdin, signal }, output }: Pick<Session, 'io' | 'output'>,
  option: string,
  file: string,
): Promise<string> {
  if (file === '-') {
    // A user who forgot the pipe sees what the command waits for.
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
          ? `Give ${option} the paths of files. Your shell did not expand the glob, so no file matches it.`
          : `Give ${option} the path of an existing file, relative to the current folder.`,
      cause,
    });
  }
}
