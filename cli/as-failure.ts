import { Failure } from '../model/failure.ts';

/** Anything thrown as a failure that a person can read. `signal`: the user's cancel, which explains whatever came after it. */
export function asFailure(error: unknown, signal: AbortSignal): Failure {
  if (error instanceof Failure) return error;
  if (signal.aborted) return new Failure('cancelled', { message: 'Cancelled.', cause: error });
  if (isStorageFault(error)) {
    return new Failure('storage-failed', {
      message: `${error.message}.`,
      cause: error,
      ...(error.path === undefined ? {} : { where: { file: error.path } }),
    });
  }
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return new Failure('internal', { message, cause: error });
}

interface StorageFault extends Error {
  readonly code: string;
  readonly path?: string;
}

const storageFaults = new Set([
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

function isStorageFault(error: unknown): error is StorageFault {
  return error instanceof Error && 'code' in error && storageFaults.has(String(error.code));
}
