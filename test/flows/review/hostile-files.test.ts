import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openWorkCopy } from '../../../lib/git/work-copy.ts';
import { maxPipelineBytes } from '../../../lib/pipelines/read-pipeline.ts';
import { pipelineOf, type ReviewProject, reviewProject, rulesPath } from './review-project.ts';

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
    ['bytes that are not text', Buffer.alloc(100_000, 0xff), /needs the key "pipeline"/],
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

  test('a project in a folder without a rules file uses that of the root', async () => {
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
