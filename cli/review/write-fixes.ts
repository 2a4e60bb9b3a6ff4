import { lstat, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FixedFile } from '../../flows/review/fixes/fix-findings.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import { writeFileAtomically } from '../kit/write-file-atomically.ts';

/** Writes fixed files under `root`. Throws Failure 'storage-failed' for a file that changed since the review. */
export async function writeFixes(root: string, files: readonly FixedFile[]): Promise<void> {
  for (const { file, before, after } of files) {
    const full = path.join(root, file);
    const same = (await lstat(full)).isFile() && (await readFile(full)).equals(Buffer.from(before));
    if (!same) {
      throw new Failure('storage-failed', {
        message: `${file} changed during the review, so it was not fixed.`,
        where: { file },
        hint: 'Run the command again.',
      });
    }
    await writeFileAtomically(full, after);
  }
}
