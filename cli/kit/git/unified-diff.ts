import { structuredPatch } from 'diff';

/**
 * The difference between two texts of a file, as a unified diff for `git apply`; empty if they are equal. Each
 * line ends with a line feed and keeps its carriage return.
 */
export function unifiedDiff(path: string, before: string, after: string): string {
  if (before === after) return '';
  const { hunks } = structuredPatch(path, path, before, after, '', '', {
    context: 3,
    stripTrailingCr: false,
  });
  const texts = hunks.map(
    ({ oldStart, oldLines, newStart, newLines, lines }) =>
      `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@\n${lines.join('\n')}\n`,
  );
  return `--- ${diffName(`a/${path}`)}\n+++ ${diffName(`b/${path}`)}\n${texts.join('')}`;
}

/** A file's name in a line `---` or `+++` of a diff. After a name with a space, a tab ends it. */
export function diffName(name: string): string {
  const quoted = quotedName(name);
  return quoted === name && name.includes(' ') ? `${name}\t` : quoted;
}

/** A file's name as git writes it in a diff: in quotes if it contains a quote, a backslash or a control character. */
export function quotedName(name: string): string {
  const escaped = name.replaceAll(/["\\\p{Cc}]/gu, (character) => {
    const letter = escapes[character];
    if (letter !== undefined) return `\\${letter}`;
    return Array.from(Buffer.from(character), (byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
  });
  return escaped === name ? name : `"${escaped}"`;
}

const escapes: Readonly<Record<string, string>> = {
  '"': '"',
  '\\': '\\',
  '\u0007': 'a',
  '\b': 'b',
  '\t': 't',
  '\n': 'n',
  '\v': 'v',
  '\f': 'f',
  '\r': 'r',
};
