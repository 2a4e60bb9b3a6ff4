import { Failure } from '../../lib/core/errors/failure.ts';
import { missingTemporaryFolder } from '../../lib/core/files/temporary-folder.ts';

/** Converts any error into a failure with a readable message. Once `signal` has aborted, every other error counts as the cancel. */
export function asFailure(error: unknown, signal: AbortSignal): Failure {
  if (error instanceof Failure) return indeterminateCancel(error) ?? error;
  if (signal.aborted) return new Failure('cancelled', { message: 'Cancelled.', cause: error });
  const missing = missingTemporaryFolder(error);
  if (missing !== undefined) return missing;
  if (isStorageError(error)) {
    return new Failure('storage-failed', {
      message: `A file could not be read or written: ${error.message}.`,
      cause: error,
      ...(error.path === undefined ? {} : { where: { file: error.path } }),
    });
  }
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return new Failure('internal', { message, cause: error });
}

/** A cancel during a request whose effect is unknown. It needs its own hint: not every request is safe to repeat. */
function indeterminateCancel(failure: Failure): Failure | undefined {
  if (failure.code !== 'cancelled' || !('isUnknown' in failure) || failure.isUnknown !== true)
    return undefined;
  return new Failure('cancelled', {
    message: failure.message,
    hint: 'Check on the platform whether the request took effect. A publish is safe to repeat. Before you start an execution again, make sure that the first one is not running.',
    details: failure.details,
    cause: failure,
  });
}

interface StorageError extends Error {
  readonly code: string;
  readonly path?: string;
}

const storageErrorCodes = new Set([
  'ENOSPC',
  'EDQUOT',
  'EFBIG',
  'EACCES',
  'EPERM',
  'EROFS',
  'ENOENT',
  'EISDIR',
  'ENOTDIR',
]);

function isStorageError(error: unknown): error is StorageError {
  return error instanceof Error && 'code' in error && storageErrorCodes.has(String(error.code));
}
