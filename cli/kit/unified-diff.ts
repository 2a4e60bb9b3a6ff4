import { structuredPatch } from 'diff';

/**
 * The difference between two texts of a file, as a unified diff for `git apply`; empty where they are equal. Each
 * line ends with a line feed and keeps its carriage return.
 */
export function unifiedDiff(path: string, before: string, after: string): string {
  if (before === after) return '';
  const { hunks } = structuredPatch(path, path, before, after, '', '', {
    context: 3,
    stripTrailingCr: false,
  });
  // A tab ends a name that contains a space.
  const end = path.includes(' ') ? '\t' : '';
  const texts = hunks.map(
    ({ oldStart, oldLines, newStart, newLines, lines }) =>
      `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@\n${lines.join('\n')}\n`,
  );
  return `--- a/${path}${end}\n+++ b/${path}${end}\n${texts.join('')}`;
}
