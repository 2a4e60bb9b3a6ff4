import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { pipelineOf, type ReviewProject, reviewProject } from '../../flows/review/review-project.ts';
import { inProcess } from '../in-process.ts';

describe('in a folder below the project', () => {
  let project: ReviewProject;
  const run = (cwd: string, ...args: string[]) =>
    inProcess(args, {
      cwd: path.join(project.directory, cwd),
      env: { PATH: process.env.PATH ?? '' },
    });

  beforeEach(() => {
    project = reviewProject();
    project.write('millrace.yaml', 'version: 1\nenvironments: [dev]\nreview: { scope: all }\n');
    project.write('daily/load.orch.yaml', pipelineOf('Start', 'load'));
    project.write('daily/deep/er.orch.yaml', pipelineOf('Start', 'Load'));
    project.write('finance/millrace.yaml', 'version: 1\nenvironments: [prod]\n');
    project.write('finance/month/close.orch.yaml', pipelineOf('Start', 'Close'));
    project.commit('A project');
  });
  afterEach(() => project[Symbol.dispose]());

  test('review uses the project above: its rules and all of its pipelines', async () => {
    const [above, below] = [await run('', 'review', '--local'), await run('daily/deep', 'review', '--local')];
    expect(above.stdout).toContain('3 files reviewed');
    expect(below).toEqual(above);
  });

  test('review --update-baseline writes the baseline of the project', async () => {
    await run('daily', 'review', '--local', '--update-baseline');
    expect(project.git('status', '--porcelain')).toBe('?? .platform/review-baseline.json');
  });

  test('graph draws the whole project', async () => {
    expect((await run('daily/deep', 'graph')).stdout).toBe((await run('', 'graph')).stdout);
  });

  test('graph warns about pipelines that are excluded only because of a dot in a name', async () => {
    project.write('.hidden/x.orch.yaml', pipelineOf('Start', 'Load'));
    project.commit('A hidden pipeline');
    const { code, stdout, stderr } = await run('', 'graph');
    expect({ code, named: stderr.includes('.hidden/x.orch.yaml'), drawn: stdout.includes('hidden') }).toEqual(
      {
        code: 0,
        named: true,
        drawn: false,
      },
    );
  });

  test('publish --dry-run would send the whole project', async () => {
    const publish = ['publish', '--version', '1.0.0', '--dry-run', '--json'];
    const [above, below] = [await run('', ...publish), await run('daily', ...publish)];
    expect(below.stdout).toBe(above.stdout);
    expect(above.stdout).toContain('daily/load.orch.yaml');
  });

  test('the doctor reads its millrace.yaml', async () => {
    expect((await run('daily/deep', 'doctor')).stdout).toContain('millrace.yaml: 1 environment, 0 lanes');
  });

  test('the nearest of several projects applies', async () => {
    const { stdout } = await run('finance/month', 'publish', '--version', '1.0.0', '--dry-run', '--json');
    expect(JSON.parse(stdout)).toMatchObject({ environment: 'prod' });
    expect(stdout).not.toContain('daily/load');
  });

  test('--working-directory is used unchanged, and --config is relative to the current folder', async () => {
    const ofDaily = () => run('daily', 'review', '--local', '--working-directory', '.');
    expect(await ofDaily()).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('The folder "daily" has no millrace.yaml'),
    });
    project.write('daily/millrace.yaml', 'version: 1\n');
    project.commit('A project of its own');
    expect((await ofDaily()).stdout).toContain('2 files reviewed');
    project.git('rm', '-q', 'daily/millrace.yaml');
    project.commit('A part of the project again');
    project.write('daily/other.yaml', 'version: 1\nreview: { scope: all, fail-on: never }\n');
    const named = await run('daily', 'review', '--local', '--config', 'other.yaml');
    expect(named).toMatchObject({ code: 0, stdout: expect.stringContaining('3 files reviewed') });
  });
});

describe('without a repository around it', () => {
  let folder = '';
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(path.join(tmpdir(), 'millrace folder ')));
    mkdirSync(path.join(folder, 'below'));
    writeFileSync(path.join(folder, 'millrace.yaml'), 'version: 1\nenvironments: [dev]\n');
  });
  afterEach(() => rmSync(folder, { recursive: true, force: true }));

  test('the nearest millrace.yaml of the same user counts', async () => {
    const doctorOutput = async (cwd: string) =>
      (await inProcess(['doctor'], { cwd, env: { PATH: process.env.PATH ?? '' } })).stdout;
    expect(await doctorOutput(folder)).toContain('millrace.yaml: 1 environment');
    expect(await doctorOutput(path.join(folder, 'below'))).toContain('millrace.yaml: 1 environment');
    writeFileSync(path.join(folder, 'below/millrace.yaml'), 'version: 1\nenvironments: [dev, prod]\n');
    expect(await doctorOutput(path.join(folder, 'below'))).toContain('millrace.yaml: 2 environments');
  });
});
