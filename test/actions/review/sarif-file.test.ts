import { gzipSync } from 'node:zlib';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { sarifFile, sarifNotes } from '../../../actions/review/sarif-file.ts';
import type { ReviewReport } from '../../../flows/review/scope/review-request.ts';
import type { Finding } from '../../../lib/core/outcomes/finding.ts';
import { finding } from '../../lib/github/findings.ts';

const review: ReviewReport = {
  outcome: 'failed',
  findings: [],
  reviewed: [],
  excluded: [],
  counts: { error: 0, warning: 0, notice: 0 },
  branch: 'feature/x',
  commit: 'a'.repeat(40),
  source: 'platform',
  policyChanges: [],
  scopeReason: '',
  reviewedFrom: 'commit',
  suppressed: [{ ...finding({ message: 'may stay' }), reason: 'agreed', suppressedBy: 'settings' }],
  nextBaseline: [],
  uncounted: 0,
};

/** What GitHub documents as its limits for a file, and what it needs of each result. */
const accepted = z.object({
  runs: z
    .array(
      z.object({
        tool: z.object({
          driver: z.object({
            rules: z
              .array(z.object({ properties: z.object({ tags: z.array(z.string()).max(10) }).optional() }))
              .max(25_000),
          }),
        }),
        automationDetails: z.object({ id: z.string() }),
        results: z
          .array(
            z.object({
              level: z.enum(['error', 'warning', 'note']),
              message: z.object({ text: z.string().min(1) }),
              locations: z
                .array(
                  z.object({
                    physicalLocation: z.object({
                      artifactLocation: z.object({ uri: z.string().regex(/^[^/\\#?]/u) }),
                      region: z.object({ startLine: z.int().min(1) }),
                    }),
                  }),
                )
                .min(1)
                .max(100),
            }),
          )
          .max(5_000),
      }),
    )
    .min(1)
    .max(20),
});

function read(text: string) {
  const [run] = accepted.parse(JSON.parse(text)).runs;
  if (run === undefined) throw new Error('no run');
  return run;
}

function many(count: number, more: (index: number) => Partial<Finding> = () => ({})): Finding[] {
  return Array.from({ length: count }, (_, index) =>
    finding({ line: index + 1, endLine: index + 1, severity: 'notice', ...more(index) }),
  );
}

test('a SARIF file contains the 5,000 most severe results that GitHub shows, and counts the rest', () => {
  const findings = many(6_000, (index) => (index === 5_999 ? { severity: 'error' } : {}));
  const file = sarifFile(review, findings, '');
  const { results } = read(file.text);
  expect([results.length, results[0]?.level, file.left]).toEqual([5_000, 'error', 1_000]);
  expect(sarifNotes(file)[0]).toContain('1000 findings are not in the SARIF file');
  expect(sarifNotes({ ...file, left: 1 })[0]).toMatch(/^1 finding is not in the SARIF file/);
  expect(sarifNotes(sarifFile(review, many(5_000), ''))).toEqual([]);
});

test('a SARIF file stays below GitHub’s size limit, even with incompressible messages', () => {
  // Text that does not repeat itself.
  let seed = 1;
  const noise = (length: number) =>
    Array.from({ length }, () => {
      seed = (seed * 48_271) % 2_147_483_647;
      return String.fromCharCode(33 + (seed % 90));
    }).join('');
  const findings = many(64, () => ({ message: noise(2_000) }));
  const file = sarifFile(review, findings, '', { packedLimit: 60_000 });
  expect(gzipSync(file.text).length).toBeLessThanOrEqual(60_000);
  const { results } = read(file.text);
  expect(results.length).toBeGreaterThan(10);
  expect(results.length + file.left).toBe(64);
});

test('fixed and suppressed findings are not in the SARIF file, because GitHub would show them as open', () => {
  const findings = [
    finding({ message: 'new' }),
    finding({ state: 'known', message: 'old' }),
    finding({ state: 'fixed' }),
  ];
  const { results } = read(sarifFile(review, findings, '').text);
  expect(results.map(({ message }) => message.text)).toEqual(['new', 'old']);
});

test('the SARIF files of two projects of one repository do not replace each other', () => {
  const category = (directory: string) => read(sarifFile(review, [], directory).text).automationDetails.id;
  expect([category(''), category('finance')]).toEqual(['millrace/review/', 'millrace/review/finance/']);
});

test('the SARIF file is valid for any names and messages', () => {
  const text = fc.string({ unit: 'binary', maxLength: 30 });
  fc.assert(
    fc.property(text, text, text, (name, rule, message) => {
      const file = `daily/${name}.orch.yaml`;
      const [result] = read(
        sarifFile(review, [finding({ file, rule: `r ${rule}`, message, component: name })], '').text,
      ).results;
      const uri = result?.locations[0]?.physicalLocation.artifactLocation.uri ?? '';
      expect(decodeURIComponent(uri)).toBe(file.toWellFormed());
    }),
  );
});

test('the SARIF file of named files replaces neither the file of the whole project nor of other files', () => {
  const category = (files: readonly string[]) =>
    read(sarifFile(review, [], 'finance', { files }).text).automationDetails.id;
  const [whole, one, other] = [category([]), category(['a.orch.yaml']), category(['b.orch.yaml'])];
  expect(whole).toBe('millrace/review/finance/');
  expect(one).toMatch(/^millrace\/review\/finance\/files-[0-9a-f]{8}\/$/u);
  expect(other).not.toBe(one);
  expect(category(['b', 'a', 'b'])).toBe(category(['a', 'b']));
});
