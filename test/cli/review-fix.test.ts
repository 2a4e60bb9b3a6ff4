import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { reviewProject, rulesPath } from '../flows/review-project.ts';
import { inProcess } from './in-process.ts';

const config = `version: 1
review: { scope: all, checks: { unknown-call: error, dangling-reference: error } }
`;

/** Writes a pipeline, mends it, and gives back what stands there then. */
async function fix(before: string): Promise<{ text: string; stdout: string; stderr: string }> {
  using project = reviewProject();
  project.write(rulesPath, 'rules: []\n');
  project.write('millrace.yaml', config);
  project.write('daily/load.orch.yaml', 'pipeline:\n  components:\n    Start: { type: start }\n');
  project.commit('A project');
  project.write('a.orch.yaml', before);
  const { stdout, stderr } = await inProcess(['review', '--local', '--working-tree', '--fix'], {
    cwd: project.directory,
    env: { PATH: process.env.PATH ?? '' },
  });
  return { text: readFileSync(path.join(project.directory, 'a.orch.yaml'), 'utf8'), stdout, stderr };
}

const pipeline = (transitions: string) =>
  `\uFEFF# ä comment  \r\npipeline:\r\n  components:\r\n    Start:\r\n      type: 'start'\t\r\n      transitions:\r\n${transitions}    End:   {type: "end-success" , }\r\n  variables:   \r\n`;

test.each([
  [
    'a line of a list',
    '        success:\r\n        - "End"\r\n        - "gone"\r\n',
    '        success:\r\n        - "End"\r\n',
  ],
  [
    'the only line and its key',
    '        success:\r\n        - "gone"\r\n        failure: ["End"]\r\n',
    '        failure: ["End"]\r\n',
  ],
  ['between commas', '        success: [ End , gone, "End" ]\r\n', '        success: [ End, "End" ]\r\n'],
  ['the first', '        success: [gone, End]\r\n', '        success: [End]\r\n'],
  ['the only one in brackets', '        success: [gone]\r\n', '        success: []\r\n'],
  ['two, one after the other', '        success: [gone, End, lost, away]\r\n', '        success: [End]\r\n'],
])('--fix takes a dangling transition out, %s, and leaves every other byte', async (_, before, after) => {
  const { text, stdout } = await fix(pipeline(before));
  expect(text).toBe(pipeline(after));
  expect(stdout).toContain('0 errors');
});

test.each([
  ['"daily/load.orch.yml"', '"daily/load.orch.yaml"'],
  ["'daily/load.tran.yaml'", "'daily/load.orch.yaml'"],
  ['daily/load.yaml', 'daily/load.orch.yaml'],
])('--fix mends the suffix of a call %s in the quotes that it has', async (before, after) => {
  const call = (target: string) =>
    `pipeline:\n  components:\n    Run:\n      type: run-orchestration\n      parameters: { orchestrationJob: ${target}, x: y }  # why\n`;
  expect((await fix(call(before))).text).toBe(call(after));
});

test('--fix leaves alone what is not sure: another name, a comment in the line, an alias', async () => {
  const unsure = [
    'pipeline:',
    '  components:',
    '    Run:',
    '      type: run-orchestration',
    '      transitions:',
    '        success:',
    '          - gone # why it is here',
    '      parameters: { orchestrationJob: daily/laod }',
    '    A: { transitions: { success: &lost [End] } }',
    '',
  ].join('\n');
  const { text, stdout } = await fix(unsure);
  expect(text).toBe(unsure);
  expect(stdout).toContain('3 errors');
});

test('--fix needs the files on disk to be what is reviewed', async () => {
  using project = reviewProject();
  project.commit('A project');
  const ended = await inProcess(['review', '--local', '--fix'], {
    cwd: project.directory,
    env: { PATH: process.env.PATH ?? '' },
  });
  expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('--working-tree --fix') });
});
