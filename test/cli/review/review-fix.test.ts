import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { type ReviewProject, reviewProject, rulesPath } from '../../flows/review/review-project.ts';
import { inProcess } from '../in-process.ts';

const config = `version: 1
review: { scope: all, checks: { unknown-call: error, dangling-reference: error } }
`;

function fixProject(rules = 'rules: []\n'): ReviewProject {
  const project = reviewProject();
  project.write(rulesPath, rules);
  project.write('millrace.yaml', config);
  project.write('daily/load.orch.yaml', 'pipeline:\n  components:\n    Start: { type: start }\n');
  project.commit('A project');
  return project;
}

function read({ directory }: ReviewProject, file: string): string {
  return readFileSync(path.join(directory, file), 'utf8');
}

function runFix({ directory }: ReviewProject, ...more: string[]) {
  return inProcess(['review', '--local', '--working-tree', '--fix', ...more], {
    cwd: directory,
    env: { PATH: process.env.PATH ?? '' },
  });
}

/** Writes a pipeline, fixes it, and gives back what is in the file then. */
async function fix(
  before: string,
  file = 'a.orch.yaml',
  { rules }: { readonly rules?: string } = {},
): Promise<{ text: string; stdout: string; stderr: string }> {
  using project = fixProject(rules);
  project.write(file, before);
  const { stdout, stderr } = await runFix(project);
  return { text: read(project, file), stdout, stderr };
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
  expect(stdout).toContain('no findings');
});

test.each([
  ['"daily/load.orch.yml"', '"daily/load.orch.yaml"'],
  ["'daily/load.tran.yaml'", "'daily/load.orch.yaml'"],
  ['daily/load.yaml', 'daily/load.orch.yaml'],
])('--fix corrects the suffix of a call %s within its quotes', async (before, after) => {
  const call = (target: string) =>
    `pipeline:\n  components:\n    Run:\n      type: run-orchestration\n      parameters: { orchestrationJob: ${target}, x: y }  # why\n`;
  expect((await fix(call(before))).text).toBe(call(after));
});

test.each([
  [
    'a list with an anchor and a comment',
    'success: &s # both\n          - gone\n          - End\n      parameters: { columns: *s }',
    'The entry is not a plain item of a list',
  ],
  [
    'a list with a tag after its anchor',
    'success: &s !!seq [gone, End]\n      parameters: { columns: *s }',
    'The entry is not a plain item of a list',
  ],
  [
    'an entry with an anchor',
    'success: [&g gone, End]\n      parameters: { columns: [*g] }',
    'The entry is not a plain item of a list',
  ],
])('--fix leaves %s that another place uses, with the reason', async (_, transitions, reason) => {
  const before = `pipeline:\n  components:\n    Start:\n      type: start\n      transitions:\n        ${transitions}\n    End: { type: end-success }\n`;
  const { text, stdout } = await fix(before);
  expect(text).toBe(before);
  expect(stdout).toContain(reason);
});

test('--fix leaves transitions with an anchor that another value uses, with the reason', async () => {
  const before = `pipeline:
  components:
    Start: { type: start, transitions: &t { success: [gone, End] } }
    Other: { type: sql-executor, parameters: { columns: *t }, transitions: { success: [lost, End] } }
    End: { type: end-success }
`;
  const { text, stdout } = await fix(before);
  expect(text).toBe(before.replace('lost, ', ''));
  expect(stdout).toContain('The fix would change another value of the file too');
});

test('--fix applies only safe fixes, and explains each finding that it does not fix', async () => {
  const unsure = [
    'pipeline:',
    '  components:',
    '    Run:',
    '      type: run-orchestration',
    '      transitions:',
    '        success:',
    '          - gone # why it is here',
    '        failure: [ # first',
    '          lost, End ]',
    '        unconditional: &lost',
    '          - away',
    '      parameters: { orchestrationJob: daily/laod }',
    '    End: { type: end-success }',
    '',
  ].join('\n');
  const { text, stdout } = await fix(unsure);
  expect(text).toBe(unsure.replace('lost, End', 'End'));
  expect(stdout).toContain('3 errors');
  expect(stdout).toContain('Fixed 1 finding in 1 file.\nNot fixed:\n');
  const comment = 'A comment at the entry would be lost. Remove the entry by hand.';
  expect(stdout).toContain(`  a.orch.yaml:7 ${comment} (millrace/dangling-reference)`);
  expect(stdout).toContain('  a.orch.yaml:11 The entry is not a plain item of a list');
  expect(stdout).toContain('  a.orch.yaml:12 Millrace cannot be sure which pipeline is meant.');
});

test('--fix keeps a comment between two items in brackets, and reports this', async () => {
  const before = pipeline('        success: [ End, # why\r\n          gone ]\r\n');
  const { text, stdout } = await fix(before);
  expect(text).toBe(before);
  expect(stdout).toContain('A comment at the entry would be lost.');
});

const sourced = (sources: string) =>
  `pipeline:\n  components:\n    Read X: { type: table-input }\n    Join:\n      type: join\n      sources: ${sources}\n`;

test.each([
  ['the only source', '["Raed X"]', '"Raed X" may be a misspelled "Read X".'],
  ['one of two sources', '["Read X", "read x"]', '"read x" may be a misspelled "Read X".'],
  ['the only source, with no near name', '["Customers"]', '"Join" has no other source, so'],
])('--fix never removes %s %s', async (_, sources, reason) => {
  const { text, stdout } = await fix(sourced(sources), 'a.tran.yaml');
  expect(text).toBe(sourced(sources));
  expect(stdout).toContain(`Not fixed:\n  a.tran.yaml:6 ${reason}`);
  expect(stdout).toContain('Fixed 0 findings');
});

test('--fix removes a dangling source next to an existing one', async () => {
  const { text } = await fix(sourced('["Read X", "Customers"]'), 'a.tran.yaml');
  expect(text).toBe(sourced('["Read X"]'));
});

test('--fix keeps a misspelled transition, and the finding suggests the similar name', async () => {
  const before = pipeline('        success: [Ent]\r\n');
  const { text, stdout } = await fix(before);
  expect(text).toBe(before);
  expect(stdout).toContain('names "Ent", which does not exist. Did you mean "End"?');
});

test('--fix counts the findings of rules without an automatic fix', async () => {
  const { stdout } = await fix(pipeline('        success: [Ent]\r\n'), 'a.orch.yaml', {
    rules:
      'rules: [{ id: minimum-components, enabled: true, enforcementLevel: warn, config: { minComponents: 5 } }]\n',
  });
  expect(stdout).toContain('  2 findings of rules without an automatic fix: minimum-components (2).\n');
});

describe('--fix --dry-run', () => {
  const wrong =
    'pipeline:\n  components:\n    Start:\n      transitions:\n        success: [End, gone]\n        failure:\n          - lost\n    End: {}';

  test('shows a diff that git can apply, and writes nothing', async () => {
    using project = fixProject();
    project.write('a b.orch.yaml', wrong);
    const dry = await runFix(project, '--dry-run');
    expect(read(project, 'a b.orch.yaml')).toBe(wrong);
    expect(dry.code).toBe(0);
    expect(dry.stdout).toContain(
      '-        success: [End, gone]\n-        failure:\n-          - lost\n+        success: [End]\n',
    );
    expect(dry.stdout).toContain('Would fix 2 findings in 1 file.');

    const { fixes } = JSON.parse((await runFix(project, '--dry-run', '--json')).stdout) as {
      fixes: { dryRun: boolean; files: unknown; diff: string };
    };
    expect(fixes).toMatchObject({ dryRun: true, files: [{ file: 'a b.orch.yaml', count: 2 }] });
    project.write('it.patch', fixes.diff);
    project.git('apply', 'it.patch');
    const applied = read(project, 'a b.orch.yaml');
    project.write('a b.orch.yaml', wrong);
    expect((await runFix(project)).stdout).toContain('Fixed 2 findings in 1 file.');
    expect(read(project, 'a b.orch.yaml')).toBe(applied);
  });

  test('ends with the result of the fixed files, and lists what is left to fix by hand', async () => {
    using project = fixProject();
    project.write('a.orch.yaml', wrong.replace('- lost', '- Ende'));
    expect(await runFix(project, '--dry-run')).toMatchObject({
      code: 1,
      stdout: expect.stringMatching(/Would fix 1 finding[^]*may be a misspelled "End"[^]*1 error/),
    });
  });

  test('alone is refused: a review writes nothing', async () => {
    using project = fixProject();
    const ended = await inProcess(['review', '--local', '--dry-run'], {
      cwd: project.directory,
      env: { PATH: process.env.PATH ?? '' },
    });
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('--fix or --update-baseline') });
  });

  test('with --update-baseline counts what would be recorded, and writes nothing', async () => {
    using project = fixProject();
    project.write('a.orch.yaml', wrong);
    project.commit('Wrong');
    const ended = await inProcess(['review', '--local', '--dry-run', '--update-baseline'], {
      cwd: project.directory,
      env: { PATH: process.env.PATH ?? '' },
    });
    expect(ended).toMatchObject({ code: 0, stdout: expect.stringContaining('Would record 2 findings in') });
    expect(project.git('status', '--porcelain')).toBe('');
  });
});

test('--fix without --local --working-tree is refused', async () => {
  using project = reviewProject();
  project.commit('A project');
  const ended = await inProcess(['review', '--local', '--fix'], {
    cwd: project.directory,
    env: { PATH: process.env.PATH ?? '' },
  });
  expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('--working-tree --fix') });
});
