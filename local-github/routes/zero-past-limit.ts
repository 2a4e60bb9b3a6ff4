import type { ChangedFile } from '../git/bare-repository.ts';

/** Above this many lines of patches in one answer, GitHub says nothing about the changes of the files that follow. */
const maximumLines = 20_000;

/** The files of one answer, as GitHub shows them: past the limit with zero changes and without a patch, unmarked. */
export function zeroPastLimit(files: readonly ChangedFile[]): ChangedFile[] {
  let lines = 0;
  return files.map((file) => {
    lines += file.patch?.split('\n').length ?? 0;
    if (lines <= maximumLines) return file;
    const { patch: _, ...rest } = file;
    return { ...rest, additions: 0, deletions: 0, changes: 0 };
  });
}
