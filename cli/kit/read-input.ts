import path from 'node:path';
import { addAbortSignal } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { requireText } from '../../lib/core/files/decode-text.ts';
import { readTextFile } from '../../lib/core/files/read-text-file.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import type { Session } from './session.ts';

/**
 * The text of the file that an option refers to, or of standard input for `-`. Throws Failure 'usage' with the option, and
 * 'config-invalid' for bytes that are not text.
 */
export async function readInput(
  { io: { cwd, stdin, signal }, output }: Pick<Session, 'io' | 'output'>,
  option: string,
  file: string,
): Promise<string> {
  if (file === '-') {
    // A user who forgot the pipe sees what the command waits for.
    output.progress.step('Reading standard input');
    return requireText(await buffer(addAbortSignal(signal, stdin)), 'standard input');
  }
  try {
    return await readTextFile(path.resolve(cwd, file), file);
  } catch (cause) {
    if (cause instanceof Failure) throw cause;
    const code = cause instanceof Error && 'code' in cause ? String(cause.code) : 'unknown';
    throw new Failure('usage', {
      message: problemOf(code, file),
      where: { input: option },
      hint: hintFor(code, option, file),
      cause,
    });
  }
}

function hintFor(code: string, option: string, file: string): string {
  if (code === 'EACCES' || code === 'EPERM')
    return `Give yourself the permission to read it, or give ${option} another file.`;
  if (code === 'ENOENT' && /[*?{]/.test(file))
    return `Give ${option} the paths of existing files. Either no file matches the pattern, or it is in quotes, so that the shell does not replace it.`;
  return `Give ${option} the path of an existing file. A relative path begins at the current folder.`;
}

function problemOf(code: string, file: string): string {
  if (code === 'EISDIR') return `${file} is a folder.`;
  return code === 'ENOENT'
    ? `The file ${file} does not exist.`
    : `The file ${file} cannot be read (${code}).`;
}
