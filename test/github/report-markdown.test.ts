import { expect, test } from 'vitest';
import { reportMarkdown } from '../../github/report-markdown.ts';
import type { Report } from '../../github/report.ts';
import { finding } from './findings.ts';

const report: Report = {
  title: 'Review',
  outcome: 'failed',
  headline: '1 error.',
  facts: [['branch', 'feature/@octocat']],
  findings: [finding()],
  notes: ['A note.'],
};

test('a finding links to its line at the commit', () => {
  const text = reportMarkdown(report, { limit: 60_000, blobUrl: 'https://github.example.com/o/n/blob/abc' });
  expect(text).toContain(
    '[<code>daily/load.orch.yaml&#58;4</code>](https://github.example.com/o/n/blob/abc/daily/load.orch.yaml?plain=1#L4)',
  );
  expect(text).toContain('### ❌ Review: failed');
  expect(text).toContain('> A note.');
});

test('a foreign name can mention nobody and break no table', () => {
  const text = reportMarkdown(
    { ...report, findings: [finding({ component: 'a | b', message: 'hello @octocat\n| x' })] },
    { limit: 60_000 },
  );
  expect(text).not.toContain('@octocat');
  const row = text.split('\n').find((line) => line.startsWith('| error'));
  expect(row?.split('|')).toHaveLength(7);
});

test.each([
  [65_000, /and \d+ more findings/u],
  [8_000, /and \d+ more findings/u],
  [1_000, /and \d+ more findings/u],
  [300, /Review: failed/u],
])('never grows above %i bytes, and counts what is left out', (limit, shown) => {
  const findings = Array.from({ length: 5000 }, (_, line) =>
    finding({ line: line + 1, message: 'ü'.repeat(50) }),
  );
  const text = reportMarkdown({ ...report, findings }, { limit });
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limit);
  expect(text).toMatch(shown);
});

test('never grows above its limit by a headline, a note or a fact of the platform’s', () => {
  const long = '@'.repeat(100_000);
  for (const limit of [8_000, 65_000]) {
    const text = reportMarkdown(
      { ...report, headline: long, notes: [long], facts: [[long, long]] },
      { limit },
    );
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limit);
    expect(text).toContain('component-naming-convention');
  }
});

test('the rest that is counted and the rows that are shown make all', () => {
  const findings = Array.from({ length: 500 }, (_, line) => finding({ line: line + 1, endLine: line + 1 }));
  const text = reportMarkdown({ ...report, findings }, { limit: 10_000 });
  const shown = text.split('\n').filter((line) => line.startsWith('| error')).length;
  expect(shown + Number(/and (\d+) more/u.exec(text)?.[1])).toBe(500);
});

test('a table of a report is shown with its cells as plain text', () => {
  const tables = [{ title: 'Files', columns: ['path', 'bytes'], rows: [['a*b*.sql', '12']] }];
  const text = reportMarkdown({ ...report, findings: [], tables }, { limit: 60_000 });
  expect(text).toContain('| a&#42;b&#42;.sql | 12 |');
});
