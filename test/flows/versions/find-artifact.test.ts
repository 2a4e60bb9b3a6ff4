import { expect, test } from 'vitest';
import { findArtifact } from '../../../flows/versions/find-artifact.ts';
import { setStage, smallPipeline } from '../stage.ts';

test('a version is looked for page by page until it is found', async () => {
  await using stage = await setStage();
  const content = Buffer.from(smallPipeline);
  for (let nth = 1; nth <= 101; nth += 1) {
    await stage.client.artifacts.create({
      projectId: stage.context.projectId,
      versionName: `v${nth}`,
      environmentName: 'dev',
      commitHash: 'c'.repeat(40),
      files: [{ path: 'a.orch.yaml', bytes: content.length, open: () => content }],
    });
  }
  const pagesReadFor = async (version: string): Promise<number> => {
    const before = stage.proxy.seen.length;
    expect((await findArtifact('dev', version, stage.context))?.versionName).toBe(
      version === 'none' ? undefined : version,
    );
    return stage.proxy.seen.length - before;
  };
  expect(await pagesReadFor('v101')).toBe(1);
  expect(await pagesReadFor('v1')).toBe(2);
  expect(await pagesReadFor('none')).toBe(2);
});
