import path from 'node:path';
import { Failure } from '../errors/failure.ts';

/**
 * Converts an error about a missing folder for temporary files to a failure that names the folder. Any other error
 * is returned unchanged.
 */
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
