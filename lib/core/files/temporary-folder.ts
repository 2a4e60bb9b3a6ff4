import path from 'node:path';
import { Failure } from '../errors/failure.ts';

/** An error of the file system as a failure that names the folder for temporary files, if the error is about one that is missing. */
export function missingTemporaryFolder(error: unknown): Failure | undefined {
  if (!(error instanceof Error)) return undefined;
  const { code, syscall, path: made = '' } = error as NodeJS.ErrnoException;
  if (syscall !== 'mkdtemp' || !['ENOENT', 'ENOTDIR'].includes(code ?? '')) return undefined;
  const folder = path.dirname(made);
  return new Failure('storage-failed', {
    message: `The folder for temporary files, "${folder}", does not exist.`,
    hint: 'Create this folder, or set TMPDIR to one that exists.',
    where: { file: folder },
    cause: error,
  });
}
