import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { patchLines } from '../../../../cli/init/init-lines.ts';
import { unifiedDiff } from '../../../../cli/kit/git/unified-diff.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'millrace diff '));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test('git applies a diff of two texts to turn one into the other', () => {
  const line = fc.constantFrom('a\n', 'b\n', 'c\r\n', '\n', 'd e\n', '- x\n');
  const text = fc
    .tuple(fc.array(line, { maxLength: 30 }), fc.constantFrom('', 'end', '\r'))
    .map(([lines, end]) => lines.join('') + end);
  fc.assert(
    fc.property(text, text, (before, after) => {
      const file = path.join(folder, 'a b.txt');
      // For an empty text, git would have to create or delete the file.
      fc.pre(before !== '' && after !== '');
      writeFileSync(file, before);
      const diff = unifiedDiff('a b.txt', before, after);
      if (diff !== '')
        execFileSync('git', ['apply', '--whitespace=nowarn'], { cwd: folder, input: diff, stdio: 'pipe' });
      else expect(before).toBe(after);
      expect(readFileSync(file, 'utf8')).toBe(after);
    }),
    { numRuns: 60 },
  );
});

test.each([
  'a b.txt',
  'a\tb.txt',
  'say "a".txt',
  'two\nlines.txt',
  'a\\b.txt',
  'bell\u0007 ä漢.txt',
  '\u007f',
])('git applies a diff of the file %j, and one that creates it', (name) => {
  const own = mkdtempSync(path.join(folder, 'names-'));
  const created = {
    part: 'test',
    location: path.join(own, name),
    path: name,
    text: 'old\n',
    executable: false,
    about: '',
  } as const;
  const apply = (input: string) =>
    execFileSync('git', ['apply', '--whitespace=nowarn'], { cwd: own, input, stdio: 'pipe' });
  apply(`${patchLines([created]).join('\n')}\n`);
  expect(readFileSync(path.join(own, name), 'utf8')).toBe('old\n');
  apply(unifiedDiff(name, 'old\n', 'new\n'));
  expect(readFileSync(path.join(own, name), 'utf8')).toBe('new\n');
});

test('a change in the middle has three context lines on each side', () => {
  const lines = Array.from({ length: 20 }, (_, index) => `${index + 1}\n`);
  const after = lines.with(9, 'ten\n').join('');
  expect(unifiedDiff('a.txt', lines.join(''), after)).toBe(
    '--- a/a.txt\n+++ b/a.txt\n@@ -7,7 +7,7 @@\n 7\n 8\n 9\n-10\n+ten\n 11\n 12\n 13\n',
  );
});
