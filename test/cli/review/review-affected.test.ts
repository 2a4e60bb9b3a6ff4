import { afterEach, beforeEach, expect, test } from 'vitest';
import { copy, script } from '../../flows/data-graph/small-projects.ts';
import {
  namingRule,
  type ReviewProject,
  reviewProject,
  rulesPath,
} from '../../flows/review/review-project.ts';
import { inProcess } from '../in-process.ts';

const make = (value: number) => script(`create or replace table A as select ${value} as ID;`);
const badly = (text: string) => text.replaceAll('Write', 'write').replaceAll('Names', 'names');

let project: ReviewProject;
beforeEach(() => {
  project = reviewProject();
  project.write(rulesPath, namingRule);
  project.write('etl/millrace.yaml', 'version: 1\n');
  project.write('etl/make.orch.yaml', make(1));
  project.write('etl/reader.tran.yaml', badly(copy('A', ['ID'], 'Z')));
  project.write('etl/other.tran.yaml', badly(copy('B', ['ID'], 'Y')));
  project.commit('A project');
});
afterEach(() => project[Symbol.dispose]());

const review = (...args: string[]) =>
  inProcess(['review', '--local', ...args], { cwd: `${project.directory}/etl` });
const reviewed = async (...args: string[]) => {
  const { stdout } = await review(...args, '--json');
  return JSON.parse(stdout) as { reviewed: readonly string[]; scopeReason: string; outcome: string };
};

test('--affected reviews what changed and what reads it, and says that the rest was not reviewed', async () => {
  project.write('etl/make.orch.yaml', make(2));
  const changed = await review('--working-tree', '--scope', 'changed');
  expect(changed).toMatchObject({ code: 0 });
  const { code, stdout } = await review('--working-tree', '--affected', 'HEAD');
  expect(code).toBe(1);
  expect(stdout).toContain('etl/reader.tran.yaml');
  expect(stdout).not.toContain('etl/other.tran.yaml');
  expect(stdout).toContain(
    '2 files reviewed (pipelines changed since HEAD and what they affect; 1 other pipeline was not reviewed): 2 errors.',
  );
  project.commit('A change');
  expect(await reviewed('--affected', 'HEAD~1')).toMatchObject({
    reviewed: ['etl/make.orch.yaml', 'etl/reader.tran.yaml'],
    outcome: 'failed',
  });
});

test('--affected reviews all if the rules change, and nothing if nothing changes', async () => {
  expect(await reviewed('--working-tree', '--affected', 'HEAD')).toMatchObject({
    reviewed: [],
    outcome: 'nothing-to-do',
    scopeReason: 'no pipelines changed since HEAD, and none that they affect',
  });
  project.write(rulesPath, namingRule.replace('[A-Z].*', '[A-Z][a-z]*'));
  expect((await reviewed('--working-tree', '--affected', 'HEAD')).reviewed).toHaveLength(3);
});

test('--affected refuses a commit that is not on disk, and options that also choose what is reviewed', async () => {
  project.write('etl/make.orch.yaml', make(2));
  const other = await review('--affected', 'HEAD');
  expect([other.code, other.stderr]).toEqual([2, expect.stringContaining('Review the files on disk with')]);
  const hidden = ['--affected', 'HEAD'];
  for (const more of [
    ['make.orch.yaml'],
    ['--base', 'HEAD~0'],
    ['--scope', 'all'],
    ['--staged'],
    ['--working-tree', '--update-baseline'],
    ['--explain', 'unknown-call'],
    ['--working-tree', '--watch'],
  ]) {
    const { code, stderr } = await review(...more, ...hidden);
    expect([more, code, stderr]).toEqual([more, 2, expect.stringContaining('--affected')]);
  }
});
