import { symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { projectOfCommit } from '../../../../flows/pipeline-tests/files/project-of-commit.ts';
import { openRepository } from '../../../../lib/git/repository.ts';
import { temporaryRepository } from '../../../lib/git/temporary-repository.ts';
import { script } from '../../data-graph/small-projects.ts';

const { signal } = new AbortController();

test('a project is opened as a commit has it, without other projects, links, packages and the disk', async () => {
  using repo = temporaryRepository();
  repo.write('sales/millrace.yaml', 'version: 1\nengine: { warehouse: WAREHOUSE_TWO }\n');
  repo.write('sales/load.orch.yaml', script('select 1'));
  repo.write('sales/run me', 'select 2');
  repo.write('sales/large picture', Buffer.alloc(1024 * 1024 + 1, 'a'));
  repo.write('sales/inner/millrace.yaml', 'version: 1\n');
  repo.write('sales/inner/other.orch.yaml', script('select 1'));
  repo.write('sales/node_modules/x/example.orch.yaml', script('select 1'));
  repo.write('elsewhere.orch.yaml', script('select 1'));
  symlinkSync('load.orch.yaml', path.join(repo.directory, 'sales/link.orch.yaml'));
  const commit = repo.commit('A project');
  writeFileSync(path.join(repo.directory, 'sales/load.orch.yaml'), 'pipeline: [');

  const repository = await openRepository(repo.directory);
  const { project, config, unread } = await projectOfCommit({
    repository,
    commit,
    directory: 'sales',
    signal,
  });
  expect(project.paths).toEqual(['load.orch.yaml', 'millrace.yaml', 'run me']);
  expect(project.pipelines).toEqual(['load.orch.yaml']);
  expect(project.pipeline('load.orch.yaml')?.problems).toEqual([]);
  expect([project.kind, config.engine.warehouse]).toEqual(['WAREHOUSE_TWO', 'WAREHOUSE_TWO']);
  expect(unread).toEqual([]);
});

test('settings of a commit that are wrong count only if others can be used', async () => {
  using repo = temporaryRepository();
  repo.write('millrace.yaml', 'version: 1\nengine: { warehouse: WAREHOUSE_TWO }\n');
  const right = repo.commit('Right');
  repo.write('millrace.yaml', 'version: 7\n');
  const wrong = repo.commit('Wrong');
  const repository = await openRepository(repo.directory);
  const open = { repository, directory: '', signal };
  await expect(projectOfCommit({ ...open, commit: wrong })).rejects.toMatchObject({
    code: 'config-invalid',
    where: { file: 'millrace.yaml', line: 1 },
  });
  const { config } = await projectOfCommit({ ...open, commit: right });
  expect((await projectOfCommit({ ...open, commit: wrong, fallback: config })).project.kind).toBe(
    'WAREHOUSE_TWO',
  );
});
