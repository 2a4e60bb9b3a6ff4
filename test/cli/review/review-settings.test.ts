import { execFileSync } from 'node:child_process';
import { rmSync, symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  pipelineOf,
  type ReviewProject,
  reviewProject,
  rulesPath,
} from '../../flows/review/review-project.ts';
import { inProcess } from '../in-process.ts';

const strict = 'version: 1\nreview: { checks: { unknown-call: error } }\n';
const caller = (called: string) => `pipeline:
  components:
    Start: { type: start, transitions: { success: [Run] } }
    Run: { type: run-orchestration, parameters: { orchestrationJob: ${called} } }
`;
/** Settings that let a broken call pass. */
const loose = {
  'a check that is off': 'version: 1\nreview: { checks: { unknown-call: off } }\n',
  'fail-on: never': 'version: 1\nreview: { checks: { unknown-call: error }, fail-on: never }\n',
  'an excluded file':
    'version: 1\nfiles: { exclude: [caller.orch.yaml] }\nreview: { checks: { unknown-call: error } }\n',
  'a suppression':
    'version: 1\nreview: { checks: { unknown-call: error }, suppress: [{ rule: unknown-call, file: "**", reason: It is fine }] }\n',
  'another configuration folder':
    'version: 1\nconfig-dir: .other\nreview: { checks: { unknown-call: off } }\n',
};

let project: ReviewProject;
beforeEach(() => {
  project = reviewProject();
  project.write(rulesPath, 'rules: []\n');
  project.write('.other/config/pipeline_quality_rules.yaml', 'rules: []\n');
  project.write('millrace.yaml', strict);
  project.write('caller.orch.yaml', caller('called'));
  project.write('called.orch.yaml', pipelineOf('Start'));
  project.commit('A project');
});
afterEach(() => project[Symbol.dispose]());

const review = (...args: string[]) =>
  inProcess(['review', '--local', ...args], {
    cwd: project.directory,
    env: { PATH: process.env['PATH'] ?? '' },
  });
const breakCall = () => project.write('caller.orch.yaml', caller('missing'));
const brokenCall = { code: 1, stdout: expect.stringContaining('calls "missing", which does not exist') };

describe('the settings come from the reviewed files', () => {
  test.each(Object.entries(loose))('%s on disk does not apply to what is staged', async (_, settings) => {
    breakCall();
    project.git('add', '.');
    project.write('millrace.yaml', settings);
    const ran = await review('--staged', '--scope', 'changed');
    expect(ran).toMatchObject(brokenCall);
    expect(ran.stderr).toContain('The millrace.yaml of what is staged applies; the one on disk differs.');
    expect(await review('--working-tree')).toMatchObject({ code: 0 });
    expect(await review('--staged', '--config', 'millrace.yaml')).toMatchObject({ code: 0 });
  });

  test('those on disk do not apply to a commit, and neither does a missing file', async () => {
    breakCall();
    project.commit('A broken call');
    project.write('millrace.yaml', loose['fail-on: never']);
    expect(await review()).toMatchObject(brokenCall);
    rmSync(path.join(project.directory, 'millrace.yaml'));
    expect(await review()).toMatchObject({ ...brokenCall, stderr: expect.not.stringContaining('warning') });
    project.write('millrace.yaml', strict.replaceAll('\n', '\r\n'));
    expect(await review()).toMatchObject({ ...brokenCall, stderr: expect.not.stringContaining('on disk') });
  });

  test('a file that they extend is the one of the reviewed files, too', async () => {
    project.write('millrace.yaml', 'version: 1\nreview: { extends: shared.yaml }\n');
    project.write('shared.yaml', 'checks: { unknown-call: error }\n');
    project.commit('Extend');
    breakCall();
    project.git('add', '.');
    project.write('shared.yaml', 'checks: { unknown-call: off }\n');
    expect(await review('--staged')).toMatchObject(brokenCall);
  });

  test('if they are only on disk, they apply, and a warning says so', async () => {
    project.git('rm', '-q', '--cached', 'millrace.yaml');
    breakCall();
    project.git('add', 'caller.orch.yaml');
    const ran = await review('--staged');
    expect(ran).toMatchObject(brokenCall);
    expect(ran.stderr).toContain('millrace.yaml is not in what is staged, so the file on disk applies.');
  });

  test('a symbolic link in place of the file is refused with the way out', async () => {
    rmSync(path.join(project.directory, 'millrace.yaml'));
    symlinkSync('elsewhere.yaml', path.join(project.directory, 'millrace.yaml'));
    project.write('elsewhere.yaml', strict);
    project.commit('A link');
    const ran = await review();
    expect(ran).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('"millrace.yaml" is a symbolic link'),
    });
    expect(ran.stderr).toContain('review.extends');
    expect((await review('--working-tree')).code).toBe(0);
  });
});

describe('with --base, the settings come from the base', () => {
  test.each(Object.entries(loose))('%s in the change does not apply to it', async (_, settings) => {
    breakCall();
    project.write('millrace.yaml', settings);
    project.commit('A change');
    const ran = await review('--base', 'HEAD~1');
    expect(ran).toMatchObject(brokenCall);
    expect(ran.stderr).toContain('applies, as on a pull request; the change has another one.');
    expect(await review('--base', 'HEAD~1', '--working-tree')).toMatchObject(brokenCall);
    expect(await review('--base', 'HEAD~1', '--config', 'millrace.yaml')).toMatchObject({ code: 0 });
  });

  test('a change that deletes them is still judged by them', async () => {
    breakCall();
    project.git('rm', '-q', 'millrace.yaml');
    project.commit('A change');
    expect(await review('--base', 'HEAD~1')).toMatchObject(brokenCall);
  });

  test('a file of the change that they extend does not apply', async () => {
    project.write('millrace.yaml', 'version: 1\nreview: { extends: shared.yaml }\n');
    project.write('shared.yaml', 'checks: { unknown-call: error }\n');
    project.commit('Extend');
    breakCall();
    project.write('shared.yaml', 'checks: { unknown-call: off }\n');
    project.commit('A change');
    expect(await review('--base', 'HEAD~1')).toMatchObject(brokenCall);
  });

  test.each([
    ['has none', undefined, 'has no millrace.yaml, so the settings of the change apply.'],
    [
      'has invalid ones',
      'version: 1\nreview: { scop: all }\n',
      'is invalid, so the settings of the change apply.',
    ],
  ])('if the base %s, the ones of the change apply, and a warning says so', async (_, text, warning) => {
    if (text === undefined) project.git('rm', '-q', 'millrace.yaml');
    else project.write('millrace.yaml', text);
    project.commit('Before');
    project.write('millrace.yaml', strict);
    breakCall();
    project.commit('A change');
    const ran = await review('--base', 'HEAD~1');
    expect(ran).toMatchObject({ ...brokenCall, stderr: expect.stringContaining(warning) });
  });
});

test('without settings on either side, the defaults apply, and no warning names others', async () => {
  project.git('rm', '-q', 'millrace.yaml');
  project.commit('Before');
  breakCall();
  project.commit('A change');
  const ran = await review('--base', 'HEAD~1');
  expect(ran).toMatchObject({ code: 0, stderr: expect.not.stringContaining('settings of the change') });
});

test('in a subfolder, a warning names the file as the option --config takes it there', async () => {
  project.write('team/millrace.yaml', strict);
  project.write('team/sub/caller.orch.yaml', caller('missing'));
  project.commit('A project in a folder');
  project.write('team/millrace.yaml', loose['a check that is off']);
  const cwd = path.join(project.directory, 'team/sub');
  const inFolder = (...args: string[]) =>
    inProcess(['review', '--local', ...args], { cwd, env: { PATH: process.env['PATH'] ?? '' } });
  const ran = await inFolder();
  expect(ran).toMatchObject(brokenCall);
  expect(ran.stderr).toContain('add --config "../millrace.yaml".');
  expect(await inFolder('--config', '../millrace.yaml')).toMatchObject({ code: 0 });
});

describe('settings that become stricter review the whole project', () => {
  const settings = (section: string) => project.write('millrace.yaml', `version: 1\nreview: ${section}\n`);
  const reasonOf = async (...args: string[]) => {
    const { stdout } = await review(...args, '--scope', 'changed', '--json');
    return JSON.parse(stdout) as { scopeReason: string; findings: { file: string; rule: string }[] };
  };
  const whole = 'all pipelines, because the checks of the settings became stricter';

  test.each([
    ['a check that is turned on', '{}', '{ checks: { unknown-call: error } }'],
    [
      'a check with a higher severity',
      '{ checks: { unknown-call: notice } }',
      '{ checks: { unknown-call: error } }',
    ],
    [
      'an override that is gone',
      '{ checks: { unknown-call: error }, overrides: [{ files: ["**"], rules: { unknown-call: { severity: off } } }] }',
      '{ checks: { unknown-call: error } }',
    ],
    ['a file that they extend', '{ extends: more.yaml }', '{ extends: more.yaml }'],
  ])('%s', async (_, before, after) => {
    settings(before);
    project.write('more.yaml', '{}\n');
    breakCall();
    project.commit('A broken call that nothing reports');
    settings(after);
    project.write('more.yaml', 'checks: { unknown-call: error }\n');
    project.git('add', '.');
    const { scopeReason, findings } = await reasonOf('--staged');
    expect(scopeReason).toBe(whole);
    expect(findings).toContainEqual(
      expect.objectContaining({ file: 'caller.orch.yaml', rule: 'millrace/unknown-call' }),
    );
  });

  test('a name that review.variables lost', async () => {
    const checks = 'checks: { undeclared-variable: error }';
    settings(`{ ${checks}, variables: [kind] }`);
    project.write('caller.orch.yaml', caller('called').replace('called }', '"${kind}" }'));
    project.commit('A project variable');
    settings(`{ ${checks} }`);
    const { scopeReason, findings } = await reasonOf('--working-tree');
    expect(scopeReason).toBe(whole);
    expect(findings.map(({ rule }) => rule)).toContain('millrace/undeclared-variable');
  });

  test.each([
    ['a check that is turned off', '{ checks: { unknown-call: off } }'],
    ['another name in review.variables', '{ checks: { unknown-call: error }, variables: [kind] }'],
    ['another scope', '{ checks: { unknown-call: error }, scope: all }'],
  ])('but not %s', async (_, after) => {
    settings(after);
    expect((await reasonOf('--working-tree')).scopeReason).toBe('no pipelines changed since the last commit');
  });

  test.each([
    ['--config names', '{}', ['--config', 'millrace.yaml']],
    ['a base without settings lets apply', undefined, []],
    ['a base with invalid settings lets apply', '{ checks: 1 }', []],
  ])('of the change that %s, though it has a base', async (_, before, options) => {
    if (before === undefined) project.git('rm', '-q', 'millrace.yaml');
    else settings(before);
    breakCall();
    const base = project.commit('A broken call that nothing reports');
    settings('{ checks: { unknown-call: error } }');
    project.commit('A check');
    const { scopeReason, findings } = await reasonOf('--base', base, ...options);
    expect(scopeReason).toBe(whole);
    expect(findings).toContainEqual(
      expect.objectContaining({ file: 'caller.orch.yaml', rule: 'millrace/unknown-call' }),
    );
  });

  test('in another file that --config names, which is the one whose change is reported', async () => {
    const write = (severity: string) =>
      project.write('shared/strict.yaml', `version: 1\nreview: { checks: { unknown-call: ${severity} } }\n`);
    write('off');
    breakCall();
    const base = project.commit('A broken call that nothing reports');
    write('error');
    project.commit('A check');
    for (const options of [
      ['--base', base],
      ['--base', base, '--working-tree'],
    ]) {
      const { scopeReason, findings } = await reasonOf(...options, '--config', 'shared/strict.yaml');
      expect(scopeReason).toBe(whole);
      expect(findings.map(({ file, rule }) => `${file} ${rule}`)).toEqual([
        'caller.orch.yaml millrace/unknown-call',
        'shared/strict.yaml millrace/policy-changed',
      ]);
    }
  });

  test('but not a change that is reviewed with the settings of its base', async () => {
    const base = project.git('rev-parse', 'HEAD');
    settings('{ checks: { unknown-call: error, call-cycle: error } }');
    project.commit('A check');
    expect((await reasonOf('--base', base)).scopeReason).toMatch(/^no pipelines changed since /);
  });
});

describe('settings that are elsewhere are not the defaults', () => {
  test.each(['millrace.yml', '.millrace.yaml', 'Millrace.yaml', 'millrace.yaml.yaml'])(
    'a file with the name %s is refused',
    async (name) => {
      breakCall();
      project.git('mv', 'millrace.yaml', name);
      project.commit('Another name');
      const refused = { code: 2, stderr: expect.stringContaining(`"${name}" is not read`) };
      for (const args of [[], ['--staged'], ['--working-tree']])
        expect(await review(...args)).toMatchObject(refused);
      const cwd = project.directory;
      expect(await inProcess(['test'], { cwd })).toMatchObject(refused);
      project.write('millrace.yaml', strict);
      expect(await review('--working-tree')).toMatchObject(brokenCall);
    },
  );

  test('--working-directory names the folder of a project, and no part of one', async () => {
    breakCall();
    project.write('ops/caller.orch.yaml', caller('missing'));
    project.commit('A folder of the project');
    const named = ['--working-directory', 'ops', '--scope', 'all'];
    expect(await review(...named)).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(
        /The folder "ops" has no millrace\.yaml: it belongs to the project in the folder above, .*--working-directory/s,
      ),
    });
    project.write('ops/millrace.yaml', strict);
    project.commit('A project of its own');
    expect(await review(...named)).toMatchObject(brokenCall);
  });

  test.each(['review --local --working-tree', 'review --local --staged', 'test', 'diff'])(
    'a link to a part of a project is refused as the part is: %s',
    async (command) => {
      const args = command.split(' ');
      project.git('rm', '-q', 'millrace.yaml');
      project.write('part/millrace.yaml', strict);
      project.write('part/ops/caller.orch.yaml', caller('missing'));
      symlinkSync('part/ops', path.join(project.directory, 'to-part'));
      project.commit('Links');
      const cwd = project.directory;
      const env = { PATH: process.env['PATH'] ?? '' };
      const ran = await inProcess([...args, '--working-directory', 'to-part'], { cwd, env });
      expect(ran).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(
          '"part/ops" has no millrace.yaml: it belongs to the project in "part"',
        ),
      });
    },
  );

  test.each(['review --local --working-tree', 'review --local', 'test', 'diff'])(
    'another name in a folder above is refused too: %s',
    async (command) => {
      const args = command.split(' ');
      project.git('mv', 'millrace.yaml', 'millrace.yml');
      project.write('daily/caller.orch.yaml', caller('missing'));
      project.commit('Another name');
      const refused = { code: 2, stderr: expect.stringContaining('"millrace.yml" is not read') };
      const env = { PATH: process.env['PATH'] ?? '' };
      const daily = path.join(project.directory, 'daily');
      expect(await inProcess(args, { cwd: daily, env })).toMatchObject(refused);
      const named = [...args, '--working-directory', 'daily'];
      expect(await inProcess(named, { cwd: project.directory, env })).toMatchObject(refused);
    },
  );

  test('a copy beside the settings of a project above changes nothing', async () => {
    breakCall();
    project.write('millrace.yml', strict);
    project.write('daily/caller.orch.yaml', caller('missing'));
    project.commit('A copy');
    const cwd = path.join(project.directory, 'daily');
    const env = { PATH: process.env['PATH'] ?? '' };
    expect(await inProcess(['review', '--local', '--scope', 'all'], { cwd, env })).toMatchObject(brokenCall);
  });

  test.skipIf(process.platform === 'win32')('a named pipe with the name of the file is refused', async () => {
    rmSync(path.join(project.directory, 'millrace.yaml'));
    execFileSync('mkfifo', [path.join(project.directory, 'millrace.yaml')]);
    const refused = {
      code: 2,
      stderr: expect.stringContaining('"millrace.yaml" is a named pipe, not a file.'),
    };
    const env = { PATH: process.env['PATH'] ?? '' };
    for (const args of [['test'], ['diff'], ['review', '--local', '--working-tree']])
      expect(await inProcess(args, { cwd: project.directory, env })).toMatchObject(refused);
  });
});
