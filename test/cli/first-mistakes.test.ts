import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { pipelineOf, type ReviewProject, reviewProject } from '../flows/review/review-project.ts';
import { inProcess } from './in-process.ts';

let project: ReviewProject;
let folder: string;
beforeAll(() => {
  project = reviewProject();
  project.write('daily/load.orch.yaml', pipelineOf('Start', 'More'));
  project.commit('A project');
  folder = mkdtempSync(path.join(tmpdir(), 'millrace first '));
});
afterAll(() => {
  project[Symbol.dispose]();
  rmSync(folder, { recursive: true });
});

const env = { PATH: process.env['PATH'] ?? '' };

test.each([['review', '--local'], ['review', '--local', '--working-tree'], ['graph'], ['init', '--yes']])(
  'outside of a git repository, %s says how to come to one',
  async (...args) => {
    const { code, stderr } = await inProcess(args, { cwd: folder, env });
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /not a git repository[^]*how to fix: Start the command in a folder of a git repository, or make this folder one with `git init`\./,
    );
  },
);

test.each([['test'], ['diff']])('in a folder without pipelines, %s says where to start', async (command) => {
  const { code, stderr } = await inProcess([command], { cwd: folder, env });
  expect(code).toBe(2);
  expect(stderr).toMatch(
    /has no test, and no pipeline\.\n {2}how to fix: Start the command in the folder of your project, or name that folder with --working-directory\./,
  );
});

test.each([
  [
    ['review', '--local', 'daily/laod.orch.yaml'],
    'Did you mean "daily/load.orch.yaml"? Check the spelling, and',
  ],
  [
    ['review', '--local', '--working-tree', 'load.orch.yaml'],
    'Did you mean "daily/load.orch.yaml"? Check the',
  ],
  [['review', '--local', '--format', 'josn'], 'junit; did you mean "json"?'],
  [['review', '--local', '--format', 'pictures'], 'gitlab, junit.\n'],
  [
    ['variables', 'aply', 'v.yaml'],
    `Argument <action> 'aply' is invalid. It must be one of diff, apply; did you mean "apply"?`,
  ],
  [['drift', '--fail-on', 'behnd'], 'It must be one of unknown, behind, never; did you mean "behind"?'],
  [['completion', 'powershell'], 'It must be one of bash, zsh, fish.\n'],
])('%j says what may be meant', async (args, message) => {
  const { code, stderr } = await inProcess(args, { cwd: project.directory, env });
  expect([code, stderr]).toEqual([2, expect.stringContaining(message)]);
});
