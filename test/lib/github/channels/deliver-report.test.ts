import { describe, expect, test } from 'vitest';
import { deliverReport } from '../../../../lib/github/channels/deliver-report.ts';
import { createRedactor } from '../../../../lib/core/text/redactor.ts';
import type { Report } from '../../../../lib/report/report.ts';
import { finding } from '../findings.ts';
import { oneRepository, repository } from '../../../environment/github/one-repository.ts';

const here = oneRepository();

describe('delivering a report', () => {
  const report: Report = {
    title: 'Review',
    outcome: 'failed',
    headline: '1 error.',
    facts: [],
    findings: [finding()],
    notes: [],
  };
  const lines: string[] = [];

  async function deliver(token: string | undefined, shown = report) {
    lines.length = 0;
    return await deliverReport(shown, {
      connection: token === undefined ? undefined : here.connect(token),
      serverUrl: here.github.url,
      commit: here.head,
      pullRequest: 1,
      key: 'review',
      check: 'auto',
      comment: 'auto',
      writeLine: (line) => lines.push(line),
      redact: createRedactor(['planted-secret']).text,
    });
  }

  test('with all permissions creates a check run and a comment, and annotates nothing twice', async () => {
    const { checkUrl, commentUrl } = await deliver('writer');
    expect([checkUrl, commentUrl]).toEqual([
      expect.stringContaining('/runs/'),
      expect.stringContaining('/pull/1'),
    ]);
    expect(lines).toEqual([]);
  });

  test('lists known findings in the job summary, but not in the check run and the comment', async () => {
    const known = finding({ state: 'known', component: 'old one', fingerprint: 'k' });
    const { summary } = await deliver('writer', { ...report, findings: [finding(), known] });
    const { checkRuns, comments } = here.github.repository(repository);
    for (const text of [checkRuns[0]?.output.summary, comments[0]?.body]) {
      expect(text).toContain('load 1');
      expect(text).not.toContain('old one');
    }
    expect(summary).toContain('old one');
  });

  test('masks the secrets of the step in the check run, the comment, the annotations and the summary', async () => {
    const leaking = finding({ message: 'planted-secret', component: 'planted-secret' });
    for (const token of ['writer', 'reader']) {
      const delivery = await deliver(token, { ...report, headline: 'planted-secret', findings: [leaking] });
      expect(delivery.summary).toContain('&#91;secret&#93;');
      const { checkRuns, comments } = here.github.repository(repository);
      expect(JSON.stringify([delivery, lines, checkRuns, comments])).not.toContain('planted-secret');
    }
  });

  test('with a read-only token annotates by commands and names both permissions', async () => {
    const { summary } = await deliver('reader');
    expect(lines).toHaveLength(1);
    expect(summary).toContain('checks&#58; write');
    expect(summary).toContain('pull-requests&#58; write');
  });

  test('without a token annotates by commands and sends nothing to GitHub', async () => {
    await deliver(undefined);
    expect(lines).toHaveLength(1);
    expect(here.github.requests).toEqual([]);
  });

  test('annotates by commands only what the check run certainly does not have', async () => {
    let updates = 0;
    here.github.interfere(({ method }) => {
      updates += method === 'PATCH' ? 1 : 0;
      return method === 'PATCH' && updates === 1 ? { status: 422, body: { message: 'no' } } : undefined;
    });
    const findings = Array.from({ length: 55 }, (_, line) => finding({ line: line + 1, endLine: line + 1 }));
    const { notes, checkUrl } = await deliver('writer', { ...report, findings });
    expect(lines.map((line) => /line=(\d+)/u.exec(line)?.[1])).toEqual(['51', '52', '53', '54', '55']);
    expect(checkUrl).toContain('/runs/');
    expect(notes.join(' ')).not.toContain('was not written');
  });

  test('with a failing server still annotates', async () => {
    here.github.interfere(() => ({ status: 500, body: 'no' }));
    await deliver('writer');
    expect(lines).toHaveLength(1);
  });
});
