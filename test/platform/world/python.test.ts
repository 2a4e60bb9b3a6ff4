import process from 'node:process';
import { expect, test } from 'vitest';
import { defaultSeed, readSeed, type Seed } from '../../../platform/index.ts';
import { executable, isPythonMissing, why } from '../../engine/python/python-here.ts';
import { field, talk, type Talk } from '../talk.ts';

const files = {
  'script.orch.yaml': `type: orchestration
version: "1.0"
pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Script] } }
    Script:
      type: python-script
      parameters: { script: "print(6 * 7)" }
  variables:
    allow-python: { metadata: { type: TEXT, scope: SHARED, visibility: PUBLIC }, defaultValue: "Yes" }
`,
  'missing.orch.yaml': `type: orchestration
version: "1.0"
pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Script] } }
    Script:
      type: python-script
      parameters: { script: "import no_such_module" }
`,
  'endless.orch.yaml': `type: orchestration
version: "1.0"
pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Script] } }
    Script:
      type: python-script
      parameters: { script: "while True: pass" }
`,
};

const seed: Seed = { ...defaultSeed, settings: { execution: 'engine', componentTime: 0 } };

async function started(platform: Talk, pipelineName: string): Promise<string> {
  await platform.publish('1', files);
  const answer = await platform.post(`${platform.project}/pipeline-executions`, {
    pipelineName,
    environmentName: 'dev',
  });
  return field(answer, 'pipelineExecutionId');
}

async function ended(platform: Talk, id: string): Promise<unknown> {
  const read = async () =>
    (await platform.get(`/_platform/executions/${id}.json`)).body as { status: string };
  await expect.poll(async () => (await read()).status).toMatch(/SUCCESS|FAILED|CANCELLED/);
  return read();
}

test.skipIf(isPythonMissing)(
  `a platform whose operator allows Python runs it, and ends it${why}`,
  async () => {
    await using platform = await talk({ seed, python: { program: executable, environment: process.env } });
    expect(await ended(platform, await started(platform, 'script'))).toMatchObject({
      status: 'SUCCESS',
      steps: [{}, { component: 'Script', message: '42' }],
    });
    const id = await started(platform, 'endless');
    await expect
      .poll(async () => JSON.stringify((await platform.get(`/_platform/executions/${id}.json`)).body))
      .toContain('"component":"Script"');
    await platform.patch(`${platform.project}/pipeline-executions/${id}`, {
      status: 'CANCELLED',
      forceUpdate: true,
    });
    expect(await ended(platform, id)).toMatchObject({ status: 'CANCELLED' });
  },
);

test('a platform runs no Python where its operator did not allow it, and a seed cannot', async () => {
  await using platform = await talk({ seed });
  expect(await ended(platform, await started(platform, 'script'))).toMatchObject({
    status: 'FAILED',
    message: expect.stringContaining('allow Python with --allow-python') as unknown,
  });
  expect(() => readSeed('settings: { python: true }', { file: 'seed.yaml' })).toThrow('python');
});

test.skipIf(isPythonMissing)(
  `a module that is missing is said with the way of the seed, and not with the way of a test${why}`,
  async () => {
    await using platform = await talk({ seed, python: { program: executable, environment: process.env } });
    expect(await ended(platform, await started(platform, 'missing'))).toMatchObject({
      status: 'FAILED',
      message: expect.stringMatching(
        /install it for this Python, or define its result in the seed of the local platform: executions: \[\{ pipeline: missing, component: Script, outcome: success \}\]/,
      ) as unknown,
    });
  },
);
