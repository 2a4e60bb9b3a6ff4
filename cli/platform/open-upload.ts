import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { UploadFile } from '../../client/index.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import type { Session } from '../kit/session.ts';

/**
 * A file of the project's folder as a form part. The part's key is the path inside the folder (spec §4.3).
 * Throws Failure 'usage' if there is no such file in the folder.
 */
export async function openUpload(
  { here, directory }: Pick<Session, 'here' | 'directory'>,
  file: string,
): Promise<UploadFile> {
  const full = path.resolve(here, file);
  const name = path.relative(directory, full).split(path.sep).join('/');
  const stats = await stat(full).catch(() => undefined);
  if (stats?.isFile() === true && !path.isAbsolute(name) && !name.startsWith('../')) {
    return { path: name, bytes: stats.size, open: () => createReadStream(full) };
  }
  throw new Failure('usage', {
    message: `"${file}" is not a file in the project’s folder.`,
    where: { input: '--file' },
    hint: 'Give a file inside the project’s folder, relative to the current folder. --working-directory selects another project.',
  });
}
