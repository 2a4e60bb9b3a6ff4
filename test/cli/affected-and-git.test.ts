import { expect, test } from 'vitest';
import { copy } from '../flows/data-graph/small-projects.ts';
import { reviewProject } from '../flows/review/review-project.ts';
import { inProcess } from './in-process.ts';

test('a name that a branch and a tag have is the tag, with a warning', async () => {
  using project = reviewProject();
  project.write('millrace.yaml', 'version: 1\n');
  project.write('a.tran.yaml', copy('IN', ['ID'], 'OUT'));
  project.commit('A project');
  project.git('branch', 'rel');
  project.write('a.tran.yaml', copy('IN', ['ID', 'DAY'], 'OUT'));
  project.commit('A change');
  project.git('tag', 'rel', 'HEAD~1');
  const run = (...words: string[]) => inProcess(words, { cwd: project.directory });
  expect((await run('affected', '--base', 'rel')).stderr).not.toContain('A branch and a tag');
  project.git('tag', '-f', 'rel', 'HEAD');
  const warning =
    'A branch and a tag have the name "rel". Millrace uses the tag, as git does. To name the branch, write refs/heads/rel.';
  for (const words of [
    ['affected', '--base', 'rel'],
    ['review', '--local', '--base', 'rel'],
  ])
    expect((await run(...words)).stderr).toContain(warning);
  expect((await run('affected', '--base', 'refs/heads/rel')).stderr).not.toContain('A branch and a tag');
});

test('a test whose rows git ignores is affected, and the report says why', async () => {
  using project = reviewProject();
  project.write('millrace.yaml', 'version: 1\n');
  project.write('.gitignore', 'rows.csv\n');
  project.write('a.tran.yaml', copy('IN', ['ID'], 'OUT'));
  project.write('rows.csv', 'ID\n1\n');
  project.write(
    'a.test.yaml',
    'pipeline: a\ntests: [{ name: one, given: { IN: { file: rows.csv } }, expect: { outcome: success } }]\n',
  );
  project.commit('A project');
  const { stdout } = await inProcess(['affected', '--json'], { cwd: project.directory });
  expect(JSON.parse(stdout)).toMatchObject({
    changed: [],
    tests: [
      {
        test: 'a.test.yaml',
        because: ['it reads rows.csv, which is ignored by git, so its earlier content is not known'],
      },
    ],
  });
});
