import { Failure } from '../../lib/core/failure.ts';

/** Anything thrown as a failure that a person can read. `signal`: the user's cancel, which explains whatever came after it. */
export function asFailure(error: unknown, signal: AbortSignal): Failure {
  if (error instanceof Failure) return leftOpen(error) ?? error;
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

/** A cancel that met a request on its way: to run it again when wanted is no advice for all of them. */
function leftOpen(failure: Failure): Failure | undefined {
  if (failure.code !== 'cancelled' || !('isUnknown' in failure) || failure.isUnknown !== true)
    return undefined;
  return new Failure('cancelled', {
    message: failure.message,
    hint: 'See on the platform whether it took place. A publish may simply be run again, a start may not.',
    details: failure.details,
    cause: failure,
  });
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
