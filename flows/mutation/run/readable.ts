import { FileProblems } from '../../../engine/index.ts';

/** Returns what `read` returns; undefined for a file that cannot be read. */
export function readable<Result>(read: () => Result): Result | undefined {
  try {
    return read();
  } catch (error) {
    if (error instanceof FileProblems) return undefined;
    throw error;
  }
}
