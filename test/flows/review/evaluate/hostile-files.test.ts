import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openWorkCopy } from '../../../../lib/git/work-tree/work-copy.ts';
import { maxPipelineBytes } from '../../../../lib/pipelines/model/read-pipeline.ts';
import { namingRule, pipelineOf, type ReviewProject, reviewProject, rulesPath } from '../review-project.ts';

let project: ReviewProject;
const rule = 'component-naming-convention';
const at = (file: string) => path.join(project.directory, file);

/** `file: message` of each finding. */
const found = async (more: Parameters<ReviewProject['review']>[0] = {}) =>
  (await project.review(more)).findings.map(({ file, message }) => `${file}: ${message}`);
const onDisk = async () => ({ snapshot: await openWorkCopy(project.directory, 'working-tree') });
const staged = async () => ({ snapshot: await openWorkCopy(project.directory, 'staged') });
const bad = 'bad.orch.yaml: The name of the component "bad" does not match the pattern [A-Z].*';

beforeEach(() => {
  project = reviewProject();
  // Each hostile file has an ordinary neighbour, whose finding must not be lost.
  project.write('bad.orch.yaml', pipelineOf('Start', 'bad'));
});
afterEach(() => project[Symbol.dispose]());

describe('a hostile pipeline file is one finding, and the other files are reviewed', () => {
  const bomb = [
    'a0: &a0 [x, x, x, x, x, x, x, x, x, x]',
    ...Array.from(
      { length: 30 },
      (_, level) => `a${level + 1}: &a${level + 1} [${`*a${level}, `.repeat(10)}x]`,
    ),
    'pipeline: { components: { A: { parameters: *a30 } } }',
  ].join('\n');
  test.each([
    ['nested maps', `pipeline: ${'{ a: '.repeat(10_000)}`, /nested too deep|levels deep/],
    ['nested lists', `pipeline: { components: { A: ${'['.repeat(10_000)}`, /nested too deep|levels deep/],
    ['an alias bomb', bomb, /of this file expand to too many values/],
    ['a mebibyte of open quotes', `pipeline: { components: { A: "${'x'.repeat(1_000_000)}`, /./],
    ['thirty thousand anchors', `pipeline: [${'&a x, '.repeat(30_000)}]`, /needs the key "pipeline"/],
    ['fifty megabytes', `pipeline: {}\n${'# padding\n'.repeat(5_000_000)}`, /larger than 4 MiB/],
    ['bytes that are not text', Buffer.alloc(100_000, 0xff), /cannot be read: byte 1 is not UTF-8/],
    ['nothing', '', /needs the key "pipeline"/],
  ])('%s', async (_title, content, message) => {
    project.write('odd.orch.yaml', content);
    project.commit('Odd');
    for (const where of [{}, await staged(), await onDisk()]) {
      const [first, second, ...rest] = await found(where);
      expect([first, rest]).toEqual([bad, []]);
      expect(second).toMatch(/^odd\.orch\.yaml: /);
      expect(second).toMatch(message);
    }
  });

  test('a file of just four megabytes is read', async () => {
    const begin = `${pipelineOf('Start', 'worse')}# `;
    project.write('big.orch.yaml', begin + 'x'.repeat(maxPipelineBytes - begin.length));
    project.write('bigger.orch.yaml', begin + 'x'.repeat(maxPipelineBytes - begin.length + 1));
    project.commit('Big');
    expect(await found()).toEqual([
      bad,
      'big.orch.yaml: The name of the component "worse" does not match the pattern [A-Z].*',
      expect.stringMatching(/^bigger\.orch\.yaml: .*larger than 4 MiB/),
    ]);
  });
});

test('an unreadable file is one finding with the worst level of all rules', async () => {
  const ids = {
    'unused-components': 'warn',
    'copied-variables': 'error',
    'start-and-end-components': 'warn',
  };
  const rules = Object.entries(ids).map(
    ([id, level]) => `- { id: ${id}, enabled: true, enforcementLevel: ${level} }`,
  );
  project.write(rulesPath, ['rules:', ...rules].join('\n'));
  project.write('bad.orch.yaml', 'pipeline: [');
  project.commit('Broken');
  const { findings } = await project.review();
  expect(findings).toMatchObject([{ rule: 'pipeline-file', severity: 'error', file: 'bad.orch.yaml' }]);
});

test('an unreadable file is an error also where no rule applies to its kind', async () => {
  const only = '- { id: start-and-end-components, enabled: true, enforcementLevel: error }';
  for (const rules of [`rules:\n${only}`, 'rules: []']) {
    project.write(rulesPath, rules);
    project.write('bad.tran.yaml', 'pipeline: [');
    project.commit('Broken');
    const { findings, outcome } = await project.review();
    expect(outcome).toBe('failed');
    const own = findings.filter(({ file }) => file === 'bad.tran.yaml');
    expect(own).toMatchObject([
      { rule: 'pipeline-file', severity: 'error', errorType: 'designer/document-parse-error' },
    ]);
  }
});

describe('a file that is not text is one error at its place, on disk, in the index and in a commit', () => {
  const latin1 = (text: string) => Buffer.from(text, 'latin1');
  const lowercase = pipelineOf('Start', 'worse');
  const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n';
  const conflict = `${lowercase}<<<<<<< ours\n# a\n=======\n>>>>>>> theirs\n`;
  test.each<[string, string, string | Buffer, number, number, RegExp]>([
    ['Latin-1', 'odd.orch.yaml', latin1(`# caf\xe9\n${lowercase}`), 1, 6, /byte 6 is not UTF-8; save/],
    ['UTF-16', 'odd.orch.yaml', Buffer.from(`\uFEFF${lowercase}`, 'utf16le'), 1, 1, /it is UTF-16; save/],
    ['a NUL', 'odd.orch.yaml', `#\n# \0\n${lowercase}`, 2, 3, /byte 5 is NUL/],
    ['a pointer', 'odd.orch.yaml', pointer, 1, 1, /it is a Git LFS pointer/],
    ['a conflict', 'odd.orch.yaml', conflict, 11, 1, /line 11 is a conflict marker of git/],
    ['rules in Latin-1', rulesPath, latin1(`# caf\xe9\nrules: []\n`), 1, 6, /byte 6 is not UTF-8/],
    ['settings in Latin-1', 'millrace.yaml', latin1('version: 1\n# \xe9\n'), 2, 3, /byte 14 is not UTF-8/],
    [
      'shared pipelines',
      '.platform/shared-pipelines.yaml',
      latin1('# \xe9\npipelines: []\n'),
      1,
      3,
      /byte 3 is/,
    ],
  ])('%s', async (_, file, content, line, column, message) => {
    project.write(rulesPath, namingRule.replace('error', 'warn'));
    project.write('bad.orch.yaml', pipelineOf('Start', 'Good'));
    project.commit('Base');
    project.write(file, content);
    const findings = async (more: Parameters<ReviewProject['review']>[0]) => {
      const report = await project.review({ configFile: 'millrace.yaml', ...more });
      return { outcome: report.outcome, findings: report.findings };
    };
    const expected = {
      outcome: 'failed',
      findings: [{ severity: 'error', file, line, column, message: expect.stringMatching(message) }],
    };
    expect(await findings(await onDisk())).toMatchObject(expected);
    project.git('add', '-A');
    expect(await findings(await staged())).toMatchObject(expected);
    project.commit('Odd');
    expect(await findings({})).toMatchObject(expected);
  });

  test('a pipeline whose name is not UTF-8', async () => {
    project.write('bad.orch.yaml', pipelineOf('Start', 'Good'));
    writeFileSync(Buffer.concat([latin1(at('od')), latin1('\xe9.orch.yaml')]), pipelineOf('Start', 'Good'));
    project.git('add', '-A');
    project.commit('Odd');
    const message = /^od\uFFFD\.orch\.yaml: The name of the file is not UTF-8, which publishing refuses/;
    for (const where of [{}, await onDisk()])
      expect(await found(where)).toEqual([expect.stringMatching(message)]);
  });

  test('a pipeline that the change did not touch, and that may call one that it removes', async () => {
    project.write('gone.orch.yaml', pipelineOf('Start'));
    project.write('odd.orch.yaml', latin1(`# caf\xe9\n${pipelineOf('Start', 'worse')}`));
    project.git('add', '-A');
    const base = project.commit('Base');
    project.git('rm', '-q', 'gone.orch.yaml');
    project.commit('Gone');
    const { findings } = await project.review({ base, scope: 'changed' });
    expect(findings).toMatchObject([
      { severity: 'error', file: 'odd.orch.yaml', message: expect.stringContaining('byte 6 is not UTF-8') },
    ]);
  });
});

describe('a hostile rules file is one finding on it', () => {
  test.each([
    ['an alias bomb', `rules: &a [*a, *a]`, /is inside its own anchor/],
    ['nested lists', '['.repeat(30_000), /nested too deep|levels deep/],
    ['fifty megabytes', '# padding\n'.repeat(5_000_000), /cannot be read: it is larger than 4 MiB/],
    [
      'a pattern that would explode elsewhere',
      `rules: [{ id: ${rule}, enabled: true, enforcementLevel: error, config: { regexMatchPattern: "(?=(a+)+)b" } }]`,
      /uses lookaround/,
    ],
  ])('%s', async (_title, content, message) => {
    project.write(rulesPath, content);
    project.commit('Odd');
    const findings = await found();
    expect(findings).toEqual([expect.stringMatching(message)]);
    expect(findings[0]).toMatch(new RegExp(`^${rulesPath}: `));
  });
});

describe('an unreadable file on disk is a finding with the reason', () => {
  beforeEach(() => {
    project.write('odd.orch.yaml', pipelineOf('Start', 'Fine'));
    project.commit('A project');
  });
  const odd = (reason: string) => [
    bad,
    `odd.orch.yaml: The file cannot be read: ${reason} (designer/document-parse-error).`,
  ];

  // Skipped where the tests run as root, which may read everything.
  test.skipIf(process.getuid?.() === 0)('a file without permission', async () => {
    chmodSync(at('odd.orch.yaml'), 0);
    expect(await found(await onDisk())).toEqual(odd('permission denied'));
  });

  test('a named pipe, without waiting for it', async () => {
    rmSync(at('odd.orch.yaml'));
    execFileSync('mkfifo', [at('odd.orch.yaml')]);
    expect(await found(await onDisk())).toEqual(odd('it is not a regular file'));
  });

  test('a file that became a folder', async () => {
    rmSync(at('odd.orch.yaml'));
    mkdirSync(at('odd.orch.yaml'));
    expect(await found(await onDisk())).toEqual(odd('it is not a regular file'));
  });

  test('a file that goes away between the listing and the reading', async () => {
    const { snapshot } = await onDisk();
    await snapshot.list();
    rmSync(at('odd.orch.yaml'));
    expect(await found({ snapshot })).toEqual(odd('it was deleted during the review'));
  });

  test('a file whose folder became a link out of the repository: what lies there is not read', async () => {
    project.write('inside/odd.orch.yaml', pipelineOf('Start', 'Fine'));
    project.git('rm', '-q', 'odd.orch.yaml');
    project.commit('Moved');
    using outside = reviewProject();
    outside.write('odd.orch.yaml', pipelineOf('Start', 'secret'));
    const { snapshot } = await onDisk();
    await snapshot.list();
    renameSync(at('inside'), at('elsewhere'));
    symlinkSync(outside.directory, at('inside'));
    expect(await found({ snapshot })).toEqual([
      bad,
      'inside/odd.orch.yaml: The file cannot be read: a symbolic link leads out of the repository (designer/document-parse-error).',
    ]);
  });

  test('a link out of the repository is reported and not followed: on disk, in the index, in a commit', async () => {
    using outside = reviewProject();
    outside.write('secret.orch.yaml', pipelineOf('Start', 'secret'));
    rmSync(at('odd.orch.yaml'));
    symlinkSync(path.join(outside.directory, 'secret.orch.yaml'), at('odd.orch.yaml'));
    await expectLinked();
  });

  test('a link to another pipeline is reported as a link: on disk, in the index, in a commit', async () => {
    rmSync(at('odd.orch.yaml'));
    symlinkSync('bad.orch.yaml', at('odd.orch.yaml'));
    await expectLinked();
  });

  async function expectLinked(): Promise<void> {
    const linked = [
      bad,
      expect.stringMatching(/^odd\.orch\.yaml: The file is a symbolic link, which publishing refuses/),
    ];
    expect(await found(await onDisk())).toEqual(linked);
    project.git('add', '-A');
    expect(await found(await staged())).toEqual(linked);
    project.commit('Linked');
    expect(await found()).toEqual(linked);
  }

  test('a rules file that is not a file', async () => {
    rmSync(at(rulesPath));
    mkdirSync(at(rulesPath));
    expect(await found(await onDisk())).toEqual([
      `${rulesPath}: The rules file cannot be read: it is not a regular file (designer/rules-file-retrieval-error).`,
    ]);
  });

  test('a project in a folder without a rules file uses the one in the root', async () => {
    writeFileSync(at('millrace.yaml'), 'version: 1\n');
    project.write('team/a.orch.yaml', pipelineOf('Start', 'Fine'));
    project.commit('A team');
    expect(await found({ directory: 'team' })).toEqual([]);
    project.git('rm', '-q', rulesPath);
    project.commit('No rules');
    expect(await found({ directory: 'team' })).toEqual([
      `${rulesPath}: The rules file does not exist in the commit that is reviewed (designer/rules-file-retrieval-error).`,
    ]);
  });
});
