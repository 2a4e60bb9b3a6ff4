import { symlinkSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { extendReview } from '../../../../lib/config/project/extend-review.ts';
import { readProjectConfig } from '../../../../lib/config/project/read-project-config.ts';
import { inProcess } from '../../../cli/in-process.ts';
import { pipelineOf, type ReviewProject, reviewProject } from '../review-project.ts';

const settings = (target: string, more = '') => `version: 1\nreview:\n  extends: ${target}\n${more}`;
const read = async (files: Readonly<Record<string, string>>, file = 'apps/millrace.yaml') =>
  (await extendReview(readProjectConfig(files[file] ?? '', file), file, async (one) => files[one])).review;

describe('review.extends', () => {
  test('adds checks, overrides and variables of files that extend others; the own ones have precedence', async () => {
    const override = (limit: number) =>
      `overrides: [{ files: ['**'], rules: { maximum-outputs: { limit: ${limit} } } }]\n`;
    const review = await read({
      'apps/millrace.yaml': settings(
        '../shared/team.yaml',
        `  checks: { unknown-call: warning }\n  ${override(3)}`,
      ),
      'shared/team.yaml': `extends: all.yaml\nchecks: { unknown-call: error, call-cycle: error }\n${override(2)}`,
      'shared/all.yaml': `checks: { call-cycle: off, connector-file: notice }\nvariables: [kind]\n${override(1)}`,
    });
    expect(review.checks).toEqual({
      'unknown-call': 'warning',
      'call-cycle': 'error',
      'connector-file': 'notice',
    });
    expect(review.overrides.map(({ rules }) => rules['maximum-outputs']?.limit)).toEqual([1, 2, 3]);
    expect(review).toMatchObject({
      variables: ['kind'],
      extendedFiles: ['shared/team.yaml', 'shared/all.yaml'],
    });
  });

  test.each([
    ['a missing file', {}, 'apps/millrace.yaml', 3, '"shared/team.yaml" does not exist'],
    [
      'a cycle',
      { 'shared/team.yaml': '\nextends: ../apps/millrace.yaml\n' },
      'shared/team.yaml',
      2,
      'extend each other: apps/millrace.yaml -> shared/team.yaml -> apps/millrace.yaml',
    ],
    [
      'a path that leaves the repository',
      { 'shared/team.yaml': 'extends: ../../etc/passwd\n' },
      'shared/team.yaml',
      1,
      'outside of the repository',
    ],
    [
      'an unknown key',
      { 'shared/team.yaml': 'checks: {}\nsuppress: []\n' },
      'shared/team.yaml',
      2,
      'suppress',
    ],
  ])('refuses %s at its line', async (_, files, file, line, message) => {
    await expect(
      read({ 'apps/millrace.yaml': settings('../shared/team.yaml'), ...files }),
    ).rejects.toMatchObject({
      code: 'config-invalid',
      where: { file, line },
      message: expect.stringContaining(message),
    });
  });
});

test.each([
  ['an empty file', ''],
  ['one with a byte order mark only', '\u{feff}'],
  ['one with comments only', '# Rules of the team\n'],
  ['one with a line only', '---\n'],
  ['one with null', 'null\n'],
])('refuses %s, which would turn its checks off', async (_, text) => {
  const files = { 'apps/millrace.yaml': settings('../shared/team.yaml'), 'shared/team.yaml': text };
  await expect(read(files)).rejects.toMatchObject({
    code: 'config-invalid',
    where: { file: 'shared/team.yaml', line: 1 },
    message: expect.stringContaining('The file is empty, so it sets no check.'),
  });
});

test('an extended file may say that it sets nothing', async () => {
  const review = await read({
    'apps/millrace.yaml': settings('../shared/team.yaml', '  checks: { unknown-call: error }\n'),
    'shared/team.yaml': '{}\n',
  });
  expect(review.checks).toEqual({ 'unknown-call': 'error' });
});

describe('a review of a project that extends a file', () => {
  let project: ReviewProject;
  beforeEach(() => {
    project = reviewProject();
    project.write('millrace.yaml', settings('shared.yaml'));
    project.write(
      'shared.yaml',
      'overrides: [{ files: ["**"], rules: { component-naming-convention: { severity: notice } } }]\n',
    );
    project.write('a.orch.yaml', pipelineOf('Start', 'load'));
    project.commit('A project');
  });
  afterEach(() => project[Symbol.dispose]());
  const review = (...args: string[]) =>
    inProcess(['review', '--local', ...args], {
      cwd: project.directory,
      env: { PATH: process.env['PATH'] ?? '' },
    });

  test('applies the file, and refuses a symbolic link in place of it', async () => {
    const { code, stdout } = await review();
    expect([code, stdout]).toEqual([0, expect.stringContaining('1 notice. The review passed.')]);
    project.git('rm', '-q', 'shared.yaml');
    symlinkSync('millrace.yaml', path.join(project.directory, 'shared.yaml'));
    project.commit('A link');
    const { code: refused, stderr } = await review();
    expect([refused, stderr]).toEqual([2, expect.stringContaining('millrace.yaml:3:12')]);
  });

  test('reports a change of the file as one of the policy, and an invalid one at its line', async () => {
    const base = project.git('rev-parse', 'HEAD').trim();
    const request = {
      base,
      policyCommit: base,
      settingsCommit: base,
      configFile: 'millrace.yaml',
      extendedFiles: ['shared.yaml'],
    };
    project.write('shared.yaml', 'checks: {}\nchekcs: {}\n');
    project.commit('A change');
    const { findings } = await project.review({ ...request, scope: 'changed' });
    expect(findings.map(({ rule, file, line }) => `${rule} ${file}:${line}`)).toEqual([
      'millrace/config-invalid shared.yaml:2',
      'millrace/policy-changed shared.yaml:1',
    ]);
  });
});
