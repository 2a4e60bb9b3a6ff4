import { describe, expect, test } from 'vitest';
import { type CommentPart, partsMarkdown, reportMarkdown } from '../../../lib/report/markdown.ts';
import type { Finding } from '../../../lib/core/outcomes/finding.ts';
import type { Report } from '../../../lib/report/report.ts';
import { finding } from '../github/findings.ts';

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

test('blocks of text keep their columns, and what does not fit is counted', () => {
  const block = { title: 'orders @octocat', lines: ['id  note', '1   @octocat'] };
  const text = reportMarkdown({ ...report, blocks: [block] }, { limit: 60_000 });
  expect(text).toContain('```text\nid  note\n1   @octocat\n```\n');
  expect(text.replace(/```[^]*```/u, '')).not.toContain('@octocat');
  const many = reportMarkdown(
    { ...report, blocks: Array.from({ length: 500 }, () => block) },
    { limit: 8000 },
  );
  expect(Buffer.byteLength(many)).toBeLessThanOrEqual(8000);
  expect(many).toMatch(/\nand \d+ more blocks of text\n$/u);
});

test('a foreign name mentions no user and breaks no table', () => {
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
])('never exceeds %i bytes, and counts omitted findings', (limit, shown) => {
  const findings = Array.from({ length: 5000 }, (_, line) =>
    finding({ line: line + 1, message: 'ü'.repeat(50) }),
  );
  const text = reportMarkdown({ ...report, findings }, { limit });
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limit);
  expect(text).toMatch(shown);
});

test('never exceeds its limit because of a headline, a note or a fact of the platform', () => {
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

test('shown and omitted rows add up to all findings', () => {
  const findings = Array.from({ length: 500 }, (_, line) => finding({ line: line + 1, endLine: line + 1 }));
  const text = reportMarkdown({ ...report, findings }, { limit: 10_000 });
  const shown = text.split('\n').filter((line) => line.includes('.orch.yaml')).length;
  expect(shown + Number(/and (\d+) more/u.exec(text)?.[1])).toBe(500);
});

test('the cells of a report’s table are plain text', () => {
  const tables = [{ title: 'Files', columns: ['path', 'bytes'], rows: [['a*b*.sql', '12']] }];
  const text = reportMarkdown({ ...report, findings: [], tables }, { limit: 60_000 });
  expect(text).toContain('| a&#42;b&#42;.sql | 12 |');
});

describe('in a comment', () => {
  const comment = (findings: readonly Finding[], limit = 65_000) =>
    reportMarkdown({ ...report, findings }, { limit, brief: true });
  const rowsOf = (text: string) =>
    text.split('\n').filter((line) => /^\| (?:error|warning|notice)/.test(line));
  const many = (count: number, more: (index: number) => Partial<Finding>) =>
    Array.from({ length: count }, (_, index) =>
      finding({ line: index + 1, endLine: index + 1, ...more(index) }),
    );

  test('new findings are listed, known and fixed ones are not', () => {
    const text = comment([
      ...many(5, () => ({})),
      ...many(31, () => ({ state: 'known', component: 'old' })),
      ...many(2, () => ({ state: 'fixed', component: 'gone' })),
    ]);
    expect(rowsOf(text)).toHaveLength(5);
    expect(text).not.toMatch(/>old<|>gone</);
  });

  test('only known findings give no table', () => {
    const text = comment(many(1, () => ({ state: 'known' })));
    expect(rowsOf(text)).toEqual([]);
  });

  test('1,500 findings are grouped by rule and folder, the most severe and largest group first', () => {
    const text = comment(
      many(1_500, (index) => ({
        rule: index % 3 === 0 ? 'unused-components' : 'maximum-components',
        severity: index % 3 === 0 ? 'error' : 'warning',
        file: `${index % 2 === 0 ? 'daily' : 'finance/month end'}/p${index}.orch.yaml`,
        message: `message ${index}`,
      })),
    );
    const [groups = '', list = ''] = text.split('<details>');
    expect(rowsOf(groups)).toEqual(
      [
        '| error | <code>unused&#45;components</code> | <code>daily/</code> | 250 |',
        '| error | <code>unused&#45;components</code> | <code>finance/month end/</code> | 250 |',
        '| warning | <code>maximum&#45;components</code> | <code>daily/</code> | 500 |',
        '| warning | <code>maximum&#45;components</code> | <code>finance/month end/</code> | 500 |',
      ].map((row) => row.replaceAll('&#45;', '-')),
    );
    expect(rowsOf(list)).toHaveLength(50);
    expect(list).toContain('and 1450 more findings');
    expect(list).toContain('</details>');
  });

  test.each([300, 1_000, 8_000, 65_000])('never exceeds %i bytes, with any number of groups', (limit) => {
    const text = comment(
      many(1_500, (index) => ({ file: `folder ${index}/ü.orch.yaml`, rule: `rule-${index}` })),
      limit,
    );
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(limit);
    expect(text.split('<details>').length).toBe(text.split('</details>').length);
    if (limit >= 1_000) expect(text).toMatch(/and \d+ more (?:groups|findings)/u);
  });
});

test('the job summary lists known findings, after the groups of many new ones', () => {
  const findings = [
    ...Array.from({ length: 60 }, (_, line) => finding({ line: line + 1, endLine: line + 1 })),
    finding({ state: 'known', component: 'old' }),
  ];
  const text = reportMarkdown({ ...report, findings }, { limit: 1_000_000 });
  expect(text).toContain('| error | <code>component-naming-convention</code> | <code>daily/</code> | 60 |');
  expect(text).toMatch(/error \(known\).*old/u);
});

describe('several reports in one comment', () => {
  const part = (
    label: string,
    blocks: NonNullable<Report['blocks']>,
    outcome: Report['outcome'] = 'passed',
  ): CommentPart => ({
    label,
    report: {
      title: label,
      outcome,
      headline: `${label} headline`,
      facts: [],
      findings: [],
      blocks,
      notes: [],
    },
  });
  const lines = (count: number) =>
    Array.from({ length: count }, (_, index) => `line ${index} ${'x'.repeat(50)}`);
  const commit = 'c'.repeat(40);

  test('what a short part leaves is for the others, and nothing is longer than the limit', () => {
    const parts = [
      part('Review', []),
      part('Tests', []),
      part('Data', [{ title: 'rows', lines: lines(200) }]),
    ];
    const text = partsMarkdown(parts, { limit: 20_000, commit });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(20_000);
    expect(text).toContain('line 199 ');
    expect(text.indexOf('<b>Review</b>')).toBeLessThan(text.indexOf('<b>Data</b>'));
  });

  test('a block that is too long keeps its first lines and says how many more there are', () => {
    const parts = [
      part('Data', [
        { title: 'rows', lines: lines(500) },
        { title: 'next', lines: ['last'] },
      ]),
    ];
    const text = partsMarkdown(parts, { limit: 5000, commit });
    expect(Buffer.byteLength(text)).toBeLessThanOrEqual(5000);
    expect(text).toContain('line 0 ');
    expect(text).toMatch(/and \d+ more lines/);
    expect(text).toMatch(/<sub>commit <code>c{12}<\/code><\/sub>\n$/);
  });

  test('a bad part is open and named in the verdict, also one without a report', () => {
    const parts = [part('Review', [], 'failed'), { label: 'Tests', report: undefined }, part('Data', [])];
    const text = partsMarkdown(parts, { limit: 5000, commit });
    expect(text).toMatch(/^### ❌ Review failed · Tests&#58; no result\n/);
    expect(text.match(/<details open>/g)).toHaveLength(2);
    expect(partsMarkdown([part('Data', [])], { limit: 5000, commit })).toMatch(/^### ✅ Passed\n/);
  });
});
