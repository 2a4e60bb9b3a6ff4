import { mkdirSync, mkdtempDisposableSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { unreadablePipelines } from '../../../../flows/data-graph/texts/unreadable-pipelines.ts';
import { nameProblem, testFiles } from '../../../../flows/pipeline-tests/files/find-tests.ts';
import { openTestProject } from '../../../../flows/pipeline-tests/files/test-project.ts';
import { planFile } from '../../../../flows/pipeline-tests/run/plan-file.ts';

const link = 'a symbolic link, which Millrace does not follow: replace it by a plain';

test('pipelines and tests that are links, or whose names are not UTF-8, are named and never left out in silence', async () => {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'millrace-unread-'));
  const project = path.join(folder.path, 'project');
  for (const name of ['project', 'common/deep', 'docs'])
    mkdirSync(path.join(folder.path, name), { recursive: true });
  writeFileSync(path.join(folder.path, 'common/deep/a.test.yaml'), 'pipeline: a\ntests: []\n');
  writeFileSync(path.join(folder.path, 'docs/a.md'), '');
  writeFileSync(path.join(project, 'one'), 'pipeline: {}\n');
  symlinkSync('one', path.join(project, 'w.tran.yaml'));
  symlinkSync('one', path.join(project, 'w.test.yaml'));
  symlinkSync('../common', path.join(project, 'shared'));
  symlinkSync('../docs', path.join(project, 'docs'));
  symlinkSync('.', path.join(project, 'itself'));
  symlinkSync('nowhere', path.join(project, 'broken'));
  symlinkSync('loop', path.join(project, 'loop'));
  const latin1 = (name: string) => Buffer.concat([Buffer.from(`${project}/`), Buffer.from(name, 'latin1')]);
  writeFileSync(latin1('caf\u00e9.orch.yaml'), '');
  mkdirSync(latin1('\u00e9t\u00e9'));
  writeFileSync(latin1('\u00e9t\u00e9/b.test.yaml'), '');

  const opened = openTestProject(project, 'WAREHOUSE_ONE');
  expect(opened.paths).toEqual(['one']);
  const found = testFiles(opened);
  expect(found).toEqual(['itself', 'shared', 'w.test.yaml', '\uFFFDt\uFFFD']);
  const reasons = found.map(async (file) =>
    planFile(file, opened, {}).catch((error: unknown) => String(error)),
  );
  expect(await Promise.all(reasons)).toEqual([
    expect.stringContaining(
      `the folder has pipelines or tests, which are not read, because it is ${link} folder`,
    ),
    expect.stringContaining(`because it is ${link} folder`),
    expect.stringContaining(`the test file is ${link} file`),
    expect.stringContaining('because it is a folder whose name is not UTF-8: rename it'),
  ]);
  expect(unreadablePipelines(opened).map(({ file }) => file)).toEqual([
    'caf\uFFFD.orch.yaml',
    'itself',
    'shared',
    'w.tran.yaml',
    '\uFFFDt\uFFFD',
  ]);
});

test('tests whose names begin with a dot, or end in more than .test.yaml, are not left out', () => {
  using folder = mkdtempDisposableSync(path.join(tmpdir(), 'millrace-names-'));
  const found = [
    '.dotted.test.yaml',
    '.dotted.test.yml',
    '.test.yaml',
    'a.test..yaml',
    'a.test.yaml ',
    'a.test.yaml.yaml',
  ];
  const others = ['.folder/a.test.yaml', '.hidden.test.yaml', '._a.test.yaml', 'a.test.yaml.orig', 'a.yaml '];
  mkdirSync(path.join(folder.path, '.folder'));
  writeFileSync(path.join(folder.path, '.hidden.orch.yaml'), 'pipeline: {}\n');
  for (const name of [...found, ...others])
    writeFileSync(path.join(folder.path, name), 'pipeline: a\ntests: []\n');
  const project = openTestProject(folder.path, 'WAREHOUSE_ONE');
  expect(testFiles(project)).toEqual(found);
  expect(found.slice(3).map(nameProblem)).toEqual(
    Array.from({ length: 3 }, () => expect.stringMatching(/rename it to a\.test\.yaml$/)),
  );
});
