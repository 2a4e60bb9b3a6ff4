import { expect, test } from 'vitest';
import { compile } from '../../../flows/data-graph/compile/compile.ts';
import { concludeCompile } from '../../../flows/data-graph/compile/conclude-compile.ts';
import { findingsByFile } from '../../../flows/data-graph/compile/findings-by-file.ts';
import { reportOfCompile, withCompiled } from '../../../flows/data-graph/compile/report.ts';
import { readProjectConfig } from '../../../lib/config/project/read-project-config.ts';
import type { Report } from '../../../lib/report/report.ts';
import { compiled, copy, type Files, findings, graphOf, script, variable } from './small-projects.ts';

const writer = copy('ORDERS', ['ID', 'AMOUNT'], 'SALES');
const files: Files = {
  'setup.orch.yaml': script('create or replace table ORDERS (ID number, AMOUNT number);'),
  'a.tran.yaml': writer,
  'b.tran.yaml': copy('SALES', ['ID', 'AMOUNT'], 'REPORT'),
};
const start = 'this pipeline cannot be read, so its tables and calls are not known: ';

test.each<readonly [what: string, content: string | Uint8Array, place: string, reason: RegExp]>([
  ['a conflict marker', writer.replace('    Names:', '<<<<<<< HEAD\n    Names:'), '8:1', /\S/],
  ['an open bracket', writer.replace('[ID, AMOUNT]', '[ID, AMOUNT'), '8:5', /\S/],
  ['a duplicate key', writer.replace('    Names:', '    Read:'), '8:5', /Read/],
  ['another version', `version: '2.0'\n${writer}`, '1:10', /`version` must be "1.0", not "2.0"/],
  ['a byte that is not UTF-8', Buffer.from(`# caf\u00e9\n${writer}`, 'latin1'), '1:6', /UTF-8/],
  ['no content', '', '1:1', /needs the key "pipeline"/],
  ['more than 4 MiB', `${writer}#${' '.repeat(4 * 1024 * 1024)}`, '1:1', /larger than 4 MiB/],
])(
  'a pipeline with %s is a finding at its place, and is not counted as compiled',
  async (_, content, place, reason) => {
    const graph = await graphOf({ ...files, 'a.tran.yaml': content });
    const settings = { rules: {}, accept: [], baseline: [], now: 0 };
    const report = concludeCompile(compile(graph), settings);
    expect(report.findings).toMatchObject([
      { rule: 'unreadable-pipeline', severity: 'error', file: 'a.tran.yaml', pipeline: 'a.tran.yaml' },
    ]);
    const [finding] = report.findings;
    expect(`${finding?.line}:${finding?.column}`).toBe(place);
    expect(finding?.message.startsWith(start)).toBe(true);
    expect(finding?.message.slice(start.length)).toMatch(reason);
    const { outcome, headline } = reportOfCompile(report);
    expect([outcome, headline]).toEqual(['failed', '2 of 3 pipelines compiled: 1 finding.']);
  },
);

const broken = { ...files, 'a.tran.yaml': `${writer}<<<<<<< HEAD\n` };

test('no baseline, acceptance or setting hides a pipeline that cannot be read', async () => {
  const {
    nextBaseline,
    findings: [finding],
  } = await compiled(broken);
  expect(nextBaseline).toEqual([]);
  const entry = { rule: 'compile/unreadable-pipeline', file: 'a.tran.yaml', subject: '' };
  const report = await compiled(broken, files, {
    baseline: [{ ...entry, fingerprint: finding?.fingerprint ?? '' }],
    accept: [{ file: '**', reason: 'Everything is fine.', until: '2030-01-01' }],
  });
  expect(report.findings.map(({ rule, state }) => `${rule} ${state}`)).toEqual(['unreadable-pipeline new']);
  const configured = (text: string) => () =>
    readProjectConfig(`version: 1\ncompile: ${text}\n`, 'millrace.yaml');
  expect(configured('{ rules: { unreadable-pipeline: off } }')).toThrow('unreadable-pipeline');
  expect(configured('{ accept: [{ rule: unreadable-pipeline, reason: Not today. }] }')).toThrow('rule');
});

test('an editor shows it once, as a finding of the review', async () => {
  expect([...findingsByFile(await compiled(broken))]).toEqual([]);
});

test('in a report of tests whose compilation only warns, it still fails', async () => {
  const tests: Report = {
    title: 'Test',
    outcome: 'passed',
    headline: '1 passed.',
    facts: [],
    findings: [],
    notes: [],
  };
  const {
    outcome,
    headline,
    findings: shown,
  } = withCompiled(tests, await compiled(broken), {
    prefix: 'p/',
    onlyWarns: true,
  });
  expect([outcome, headline]).toEqual(['failed', '1 passed. 2 of 3 pipelines compiled: 1 finding.']);
  expect(shown).toMatchObject([
    { severity: 'error', file: 'p/a.tran.yaml', errorType: 'designer/document-parse-error' },
  ]);
});

test('what a pipeline that cannot be read may write or set leads to no finding elsewhere', async () => {
  const report = await compiled({
    'setup.orch.yaml': script('create or replace table T (ID number);'),
    'lost.tran.yaml': `${copy('S', ['ID', 'NAME'], 'T')}[`,
    'reader.tran.yaml': copy('T', ['NAME'], 'U'),
    'other.orch.yaml': script('create or replace table P (ID number);'),
    'called.orch.yaml': script('select NAME from ${source};', variable('source', 'P')),
    'caller.orch.yaml': 'pipeline: [setScalarVariables: [[source, Q]]',
  });
  expect(findings(report).map((line) => line.slice(0, line.indexOf(':')))).toEqual([
    'caller.orch.yaml',
    'lost.tran.yaml',
  ]);
});
