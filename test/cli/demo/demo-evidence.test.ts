import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { demoRepository } from '../../../cli/demo/demo-config.ts';
import { openDemoEvidence } from '../../../cli/demo/demo-evidence.ts';
import { projectSchema } from '../../../lib/config/project/project-schema.ts';
import { openRepository } from '../../../lib/git/repository.ts';
import { buildRepository } from '../../environment/github/bare-repository-builder.ts';

test('what a version contains is signed with a key that the next start of the demo has too', async () => {
  const data = mkdtempSync(path.join(tmpdir(), 'demo-evidence-'));
  try {
    const { signal } = new AbortController();
    const builder = await buildRepository(data, demoRepository.name);
    const open = () =>
      openDemoEvidence({ data, repository: demoRepository, builder, now: () => 1_767_225_600_000, signal });
    const text = `type: transformation\nversion: '1.0'\npipeline: { components: { W: { type: rewrite-table, parameters: { targetTable: t } } } }\n`;
    const commit = await builder.commit('main', { 'load.tran.yaml': text });
    const repository = await openRepository(builder.path, { environment: process.env, signal });
    const evidence = await open();
    const config = projectSchema.parse({ version: 1 });
    const published = { repository, config, tag: 'v1', commit, version: 'v1' };
    expect(await evidence.sign(published)).toEqual([
      'Signed what v1 contains, so that an approver sees what changes.',
    ]);
    const branch = await repository.resolveCommit('refs/heads/millrace-evidence');
    const files = await repository.listTree(branch);
    expect(files.map((file) => file.path)).toEqual([
      expect.stringMatching(/^statements\/.*\/snapshot-[0-9a-f]+\.json$/u),
    ]);
    expect((await open()).publicKey).toBe(evidence.publicKey);
  } finally {
    rmSync(data, { recursive: true, force: true });
  }
});
