import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { baselineFile, pipelineOf, type ReviewProject, reviewProject } from '../flows/review-project.ts';
import { inProcess } from './in-process.ts';

describe('millrace review --local', () => {
  let project: ReviewProject;
  const review = (...args: string[]) =>
    inProcess(['review', '--local', ...args], {
      cwd: project.directory,
      env: { PATH: process.env.PATH ?? '' },
    });

  beforeEach(() => {
    project = reviewProject();
    project.write('millrace.yaml', 'version: 1\nreview: { scope: all }\n');
    project.write('a.orch.yaml', pipelineOf('Start', 'load'));
    project.commit('A project');
  });
  afterEach(() => project[Symbol.dispose]());

  test('records a baseline, after which old findings are counted apart and new ones fail', async () => {
    expect((await review()).code).toBe(1);
    const recorded = await review('--update-baseline');
    expect(recorded).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`Recorded 1 finding in ${baselineFile}`),
    });
    project.commit('The baseline');
    const known = await review();
    expect(known).toMatchObject({ code: 0, stdout: expect.stringContaining('1 known finding') });
    expect(known.stdout).not.toContain('a.orch.yaml');

    project.write('b.orch.yaml', pipelineOf('Start', 'more'));
    expect((await review('--working-tree')).code).toBe(1);
    expect(await review('--staged')).toMatchObject({ code: 0 });
    project.git('add', '-A');
    project.write('b.orch.yaml', pipelineOf('Start', 'More'));
    expect(await review('--staged')).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('b.orch.yaml'),
    });
  });

  test('praises what is fixed', async () => {
    await review('--update-baseline');
    project.write('a.orch.yaml', pipelineOf('Start', 'Load'));
    project.commit('Better');
    expect(await review()).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Well done: 1 of the baseline is fixed.'),
    });
  });

  test('speaks to people with the line and a caret, and in three forms to machines', async () => {
    const [text, json, sarif, markdown] = await Promise.all(
      ['text', 'json', 'sarif', 'markdown'].map((format) => review('--format', format)),
    );

    expect(text?.stdout).toMatch(/9 \| {5}load:\n +\| {5}\^{4}\n/);
    expect(JSON.parse(json?.stdout ?? '')).toMatchObject({ outcome: 'failed', counts: { error: 1 } });
    expect(JSON.parse(sarif?.stdout ?? '')).toMatchObject({ version: '2.1.0' });
    expect(markdown?.stdout).toContain('<code>component-naming-convention</code>');
    expect([text, json, sarif, markdown].map((ended) => ended?.code)).toEqual([1, 1, 1, 1]);
  });

  test.each([[['--staged', '--working-tree']], [['--staged', '--base', 'no-such-commit']]])(
    'refuses %j',
    async (args) => {
      expect((await review(...args)).code).toBe(2);
    },
  );
});

test('the work copy cannot be reviewed by the platform', async () => {
  using project = reviewProject();
  project.commit('A project');
  const ended = await inProcess(['review', '--staged'], {
    cwd: project.directory,
    env: { PATH: process.env.PATH ?? '' },
  });
  expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('--staged needs --local') });
});
