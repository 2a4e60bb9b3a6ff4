import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { writeBaseline } from '../../../../flows/findings/baseline.ts';
import { reportSchema } from '../../../../flows/review/formats/report-schema.ts';
import { helpedRules, pageOf } from '../../../../flows/review/evaluate/rule-help.ts';
import { sarifOf } from '../../../../flows/review/formats/sarif.ts';
import { baselineFile, pipelineOf, type ReviewProject, reviewProject } from '../review-project.ts';

/**
 * What we use of SARIF 2.1.0, written down by hand from the standard (§3.13 to §3.52): no key that is not here. The
 * output was also held against the standard's own JSON Schema; see docs/untested.md.
 */
const text = z.strictObject({ text: z.string().min(1) });
const count = z.int().min(1);
const result = z.strictObject({
  ruleId: z.string(),
  ruleIndex: z.int().min(0),
  level: z.enum(['none', 'note', 'warning', 'error']),
  message: text,
  locations: z
    .array(
      z.strictObject({
        physicalLocation: z.strictObject({
          artifactLocation: z.strictObject({
            uri: z.string().regex(/^[\w.%/~!*'()-]+$/),
            uriBaseId: z.string(),
          }),
          region: z.strictObject({ startLine: count, startColumn: count, endLine: count, endColumn: count }),
        }),
        logicalLocations: z.array(z.strictObject({ name: z.string(), kind: z.string() })).optional(),
      }),
    )
    .length(1),
  // The one that code scanning looks at, and ours by its own name.
  partialFingerprints: z.strictObject({
    primaryLocationLineHash: z.string().min(1),
    'millraceFinding/v1': z.string().min(1),
  }),
  baselineState: z.enum(['new', 'unchanged', 'updated', 'absent']),
  suppressions: z
    .array(
      z.strictObject({
        kind: z.enum(['inSource', 'external']),
        status: z.enum(['accepted', 'underReview', 'rejected']),
        justification: z.string(),
      }),
    )
    .optional(),
});
const sarif = z.strictObject({
  $schema: z.url(),
  version: z.literal('2.1.0'),
  runs: z
    .array(
      z.strictObject({
        tool: z.strictObject({
          driver: z.strictObject({
            name: z.string(),
            semanticVersion: z.string(),
            informationUri: z.url().optional(),
            rules: z.array(
              z.strictObject({
                id: z.string(),
                shortDescription: text,
                fullDescription: text,
                helpUri: z.url().optional(),
                help: z.strictObject({ text: z.string(), markdown: z.string() }),
              }),
            ),
          }),
        }),
        automationDetails: z.strictObject({ id: z.string() }),
        columnKind: z.enum(['utf16CodeUnits', 'unicodeCodePoints']),
        results: z.array(result),
        properties: z.record(z.string(), z.unknown()),
      }),
    )
    .length(1),
});

describe('a review as SARIF', () => {
  let project: ReviewProject;
  beforeEach(() => {
    project = reviewProject();
    project.write('Month End/ä #1.orch.yaml', pipelineOf('Start', 'old', 'quiet', 'gone'));
    project.commit('A project');
  });
  afterEach(() => project[Symbol.dispose]());

  async function review() {
    const { nextBaseline } = await project.review();
    project.write(
      baselineFile,
      writeBaseline(nextBaseline.filter(({ component }) => component === 'old' || component === 'gone')),
    );
    project.write('Month End/ä #1.orch.yaml', pipelineOf('Start', 'old', 'quiet', 'fresh'));
    project.commit('One is removed, one is new');
    return project.review({
      suppress: [{ rule: 'component-naming-convention', component: 'quiet', reason: 'Agreed' }],
    });
  }

  test('has the form of the standard, with states, suppressions, fingerprints and help', async () => {
    const report = await review();
    const { runs } = sarif.parse(sarifOf(report, '1.2.3'));
    const [run] = runs;

    expect(run?.results.map(({ baselineState, level }) => `${baselineState} ${level}`)).toEqual([
      'new error',
      'unchanged error',
      'new error',
    ]);
    expect(run?.results.at(-1)?.suppressions).toEqual([
      { kind: 'external', status: 'accepted', justification: 'Agreed' },
    ]);
    // Code scanning looks at no other fingerprint.
    const prints = run?.results.map(({ partialFingerprints }) => partialFingerprints.primaryLocationLineHash);
    expect(prints?.toSorted()).toEqual(
      [...report.findings.filter(({ state }) => state !== 'fixed'), ...report.suppressed]
        .map(({ fingerprint }) => fingerprint)
        .toSorted(),
    );
    expect(new Set(prints).size).toBe(3);
    expect(run?.tool.driver.rules.map(({ id }) => id)).toEqual(['component-naming-convention']);
    expect(run?.results[0]?.locations[0]?.physicalLocation).toMatchObject({
      artifactLocation: { uri: 'Month%20End/%C3%A4%20%231.orch.yaml' },
      region: { startColumn: 5 },
    });
  });

  test('leaves out what is fixed, which code scanning would show as an alert at 1:1', async () => {
    const report = await review();
    expect(report.findings.filter(({ state }) => state === 'fixed')).toHaveLength(1);
    const { runs } = sarif.parse(sarifOf(report, '1.2.3'));
    expect(runs[0]?.results.filter(({ baselineState }) => baselineState === 'absent')).toEqual([]);
  });

  test('links each rule to its page where the repository of Millrace is known, and only there', async () => {
    const report = await review();
    const repository = 'https://git.example.com/platform team/millrace';
    const source = { repository, ref: 'feature/#1' };
    const driver = sarif.parse(sarifOf(report, '1.2.3', { source })).runs[0]?.tool.driver;
    expect(driver?.informationUri).toBe('https://git.example.com/platform%20team/millrace');
    expect(driver?.rules.map(({ helpUri }) => helpUri)).toEqual([
      'https://git.example.com/platform%20team/millrace/blob/feature/%231/docs/unknowns.md#the-eight-rules',
    ]);

    const without = sarif.parse(sarifOf(report, '1.2.3')).runs[0]?.tool.driver;
    expect([without?.informationUri, without?.rules[0]?.helpUri]).toEqual([undefined, undefined]);
  });

  test.each([...helpedRules, 'a-rule-of-the-platform'])(
    'the page that %s links to has that section',
    (rule) => {
      const [file = '', anchor = ''] = pageOf(rule).split('#');
      const headings = readFileSync(new URL(`../../../../${file}`, import.meta.url), 'utf8').matchAll(
        /^#+ (.*)$/gm,
      );
      const anchors = Array.from(headings, ([, title = '']) =>
        title
          .toLowerCase()
          .replaceAll(/[^\w -]/g, '')
          .replaceAll(' ', '-'),
      );
      expect(anchors).toContain(anchor);
    },
  );

  test('and as JSON as the documented schema says, with nothing more', async () => {
    const { nextBaseline: _, ...shown } = await review();
    const written: unknown = JSON.parse(JSON.stringify(shown));
    expect(reportSchema.parse(written)).toEqual(written);
  });
});
