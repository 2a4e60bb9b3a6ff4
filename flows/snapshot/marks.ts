/** The number of characters of a mark: 24 bits, enough to find a line, because digests say whether anything differs. */
const markLength = 4;

/**
 * Encodes marks of lines as one text: `line:` with the marks of this line and of the next ones, separated by
 * commas.
 */
export function writeMarks(marks: ReadonlyMap<number, string>): string {
  const runs: string[] = [];
  let last = NaN;
  for (const line of [...marks.keys()].toSorted((a, b) => a - b)) {
    const mark = markOf(marks.get(line) ?? '');
    if (line === last + 1) runs.push(`${runs.pop() ?? ''}${mark}`);
    else runs.push(`${line}:${mark}`);
    last = line;
  }
  return runs.join(',');
}

/** Decodes marks: each with its line, in order. Parts in another form are ignored. */
export function readMarks(text: string): readonly (readonly [line: number, mark: string])[] {
  if (text === '') return [];
  return text.split(',').flatMap((run) => {
    const split = run.indexOf(':');
    const [first, marks] = [Number(run.slice(0, split)), run.slice(split + 1)];
    return Array.from(
      { length: Math.floor(marks.length / markLength) },
      (_, index) => [first + index, marks.slice(index * markLength, (index + 1) * markLength)] as const,
    );
  });
}

/** FNV-1a with 32 bits, of which 24 are kept. */
function markOf(text: string): string {
  let value = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) value = Math.imul(value ^ text.charCodeAt(at), 0x01000193);
  value ^= value >>> 24;
  return Buffer.of(value & 255, (value >>> 8) & 255, (value >>> 16) & 255).toString('base64url');
}
