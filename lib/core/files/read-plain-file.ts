import { open, type FileHandle } from 'node:fs/promises';
import { constants, type Stats } from 'node:fs';
import { requireText } from './decode-text.ts';
import { Failure } from '../errors/failure.ts';
import { visibleText } from '../text/visible-text.ts';

/** A path of an open file of the process. Folders such as `/dev/shm` have plain files. */
const descriptor = /^\/(?:dev\/(?:fd\/|std(?:in|out|err)$)|proc\/(?:self|\d+)\/fd\/)/;

/**
 * Reads the text of a file that is part of a project; links are followed. Never waits for a named pipe, because it
 * may have no writer. `name`: the name in messages. Throws Failure 'config-invalid' for a pipe, a socket or a
 * device, and for a file that is not text; and what Node throws. An open file of the process, such as `<(…)` in a
 * shell gives, is always read.
 */
export async function readPlainFile(path: string, name: string = path): Promise<string> {
  const isPiped = descriptor.test(path);
  const flags = isPiped ? constants.O_RDONLY : constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);
  await using handle = await opened(path, name, flags);
  const stat = await handle.stat();
  const kind = isPiped ? undefined : specialKind(stat);
  if (kind !== undefined) throw special(name, kind);
  return requireText(await handle.readFile(), name);
}

/** The name for a kind of special file: a named pipe, a socket or a device. Undefined for files, folders and links. */
export function specialKind(
  entry: Pick<Stats, 'isFIFO' | 'isSocket' | 'isCharacterDevice' | 'isBlockDevice'>,
): string | undefined {
  if (entry.isFIFO()) return 'a named pipe';
  if (entry.isSocket()) return 'a socket';
  return entry.isCharacterDevice() || entry.isBlockDevice() ? 'a device' : undefined;
}

/** A socket cannot be opened at all. */
async function opened(path: string, name: string, flags: number): Promise<FileHandle> {
  try {
    return await open(path, flags);
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === 'ENXIO' ? special(name, 'a socket') : error;
  }
}

function special(name: string, kind: string): Failure {
  return new Failure('config-invalid', {
    message: `"${visibleText(name)}" is ${kind}, not a file.`,
    where: { file: name },
    hint: 'Replace it by a plain file.',
  });
}
