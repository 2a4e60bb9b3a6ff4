import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { helpedRules } from '../../../flows/review/evaluate/rule-help.ts';
import { pipelineOf, type ReviewProject, reviewProject } from '../../flows/review/review-project.ts';
import { inProcess } from '../in-process.ts';

let project: ReviewProject;
beforeAll(() => {
  project = reviewProject();
  project.write('millrace.yaml', 'version: 1\nreview: { scope: all }\n');
  project.write('a.orch.yaml', pipelineOf('Start', 'load', 'more'));
  project.write('b.orch.yaml', pipelineOf('Start', 'Load'));
  project.commit('A project');
});
afterAll(() => project[Symbol.dispose]());

const review = (...args: string[]) =>
  inProcess(['review', ...args], { cwd: project.directory, env: { PATH: process.env.PATH ?? '' } });
const read = (file: string) => readFileSync(path.join(project.directory, file), 'utf8');

test.each([
  ['text', 'a.orch.yaml\n'],
  ['json', '"outcome": "failed"'],
  ['sarif', '"version": "2.1.0"'],
  ['markdown', '| '],
  ['gitlab', '"check_name": "component-naming-convention"'],
  ['junit', '<testsuites name="millrace review" tests="3" failures="2" errors="0">'],
])('--output-file writes the report in the format %s, and prints only the counts', async (format, part) => {
  const printed = await review('--local', '--format', format);
  const written = await review('--local', '--format', format, '--output-file', `out/report.${format}`);
  expect(written).toMatchObject({
    code: 1,
    stdout: `Wrote out/report.${format}.\n2 files reviewed (all pipelines of the project): 2 errors. The review failed.\n`,
  });
  expect(read(`out/report.${format}`)).toBe(printed.stdout);
  expect(printed.stdout).toContain(part);
});

test('the text names the command that explains the rules of the findings, once, before the counts', async () => {
  const { stdout: one } = await review('--local');
  expect(one.split('\n').at(-4)).toBe(
    '`millrace review --explain component-naming-convention` explains the rule.',
  );
  project.write('c.orch.yaml', 'oops: [\n');
  const { stdout: two } = await review('--local', '--working-tree');
  rmSync(path.join(project.directory, 'c.orch.yaml'));
  expect(two.split('\n').at(-4)).toBe(
    '`millrace review --explain <rule>` explains each of these rules: component-naming-convention, pipeline-file.',
  );
  const { stdout: none } = await review('--local', 'b.orch.yaml');
  expect(none).not.toContain('--explain');
});

test('--statistics counts each rule in place of the findings, as text and as JSON', async () => {
  const { code, stdout } = await review('--local', '--statistics');
  expect([code, stdout.split('\n').slice(0, 2)]).toEqual([
    1,
    [
      'new  known  files  fixable  severity  rule',
      '2    0      1      0        error     component-naming-convention',
    ],
  ]);
  expect(stdout).not.toContain('a.orch.yaml');
  const { stdout: json } = await review('--local', '--statistics', '--json');
  expect(JSON.parse(json)).toMatchObject({
    outcome: 'failed',
    reviewed: 2,
    statistics: [{ rule: 'component-naming-convention', count: 2 }],
  });
});

test.each([
  [['--statistics', '--format', 'sarif'], '--statistics'],
  [['--json', '--output-file', 'refused.json'], '--output-file'],
  [['--output-file', '-'], '--output-file'],
])('%j have no effect together', async (args, option) => {
  const { code, stdout, stderr } = await review('--local', ...args);
  expect([code, stdout + stderr]).toEqual([2, expect.stringContaining(option)]);
  expect(existsSync(path.join(project.directory, 'refused.json'))).toBe(false);
});

test('--explain with the id of a finding shows it with its state and its rule', async () => {
  const { stdout: text } = await review('--local');
  const [, id = ''] = /\(component-naming-convention, ([0-9a-f]{10})\)/.exec(text) ?? [];
  const { code, stdout } = await review('--local', '--explain', id);
  expect([code, stdout]).toEqual([0, expect.stringContaining(`(component-naming-convention, ${id})`)]);
  expect(stdout).toContain('  State: new against the baseline\n\ncomponent-naming-convention\n');
  const { stdout: json } = await review('--local', '--explain', id, '--json');
  expect(JSON.parse(json)).toMatchObject({ id, finding: { component: 'load' }, page: expect.any(String) });

  project.write('a.orch.yaml', `# A line more\n${read('a.orch.yaml')}`);
  const moved = await review('--local', '--working-tree', '--explain', id);
  expect(moved.stdout).toContain(`(component-naming-convention, ${id})`);
  project.write('a.orch.yaml', pipelineOf('Start', 'load', 'more'));
  const none = await review('--local', '--explain', '0123456789');
  expect([none.code, none.stderr]).toEqual([2, expect.stringContaining('no finding with the id 0123456789')]);
});

test.each(helpedRules)('--explain %s says why and how to fix it, without a review', async (rule) => {
  const { code, stdout } = await review('--explain', rule.replace('millrace/', ''));
  expect([code, stdout.split('\n')[0]]).toEqual([0, rule]);
  expect(stdout).toMatch(/Why: .+\n {2}How to fix: .+\n/);
});

test('--explain suggests the rule that may be meant', async () => {
  const { code, stderr } = await review('--explain', 'unused-component');
  expect([code, stderr]).toEqual([2, expect.stringContaining('Did you mean "unused-components"?')]);
});
