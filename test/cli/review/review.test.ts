import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  baselineFile,
  pipelineOf,
  type ReviewProject,
  reviewProject,
  rulesPath,
} from '../../flows/review/review-project.ts';
import type { ReviewReport } from '../../../flows/review/scope/review-request.ts';
import { inProcess } from '../in-process.ts';

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

  test('--update-baseline records known findings, after which only new findings fail', async () => {
    expect((await review()).code).toBe(1);
    const recorded = await review('--update-baseline');
    expect(recorded).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(`Recorded 1 finding in ${baselineFile}`),
    });
    project.commit('The baseline');
    const known = await review();
    expect(known).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 finding is in the baseline and does not count.'),
    });
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

  test('a fixed finding names the command that records the same review again', async () => {
    await review('--update-baseline');
    project.write('a.orch.yaml', pipelineOf('Start', 'Load'));
    expect((await review('--working-tree')).stdout).toContain(
      '1 finding of the baseline is fixed. `millrace review --local --working-tree --update-baseline` removes it',
    );
    project.commit('The fix');
    expect((await review()).stdout).toContain('`millrace review --local --update-baseline` removes it');
  });

  test('a rules file that is only on disk is not in the commit, and the finding says so', async () => {
    project.git('rm', '-rq', '--cached', '.platform');
    project.git('commit', '-qm', 'No rules');
    expect((await review()).stdout).toContain(
      'The rules file does not exist in the commit that is reviewed (',
    );
    expect((await review('--staged')).stdout).toContain('does not exist among the staged files (');
    expect((await review('--working-tree')).stdout).not.toContain('rules-file');
  });

  test('--new-only counts only problems that the commit of --base does not have', async () => {
    const base = project.git('rev-parse', 'HEAD');
    project.write('a.orch.yaml', pipelineOf('Start', 'Other', 'load'));
    project.commit('A change');
    const known = await review('--base', base, '--new-only');
    project.write('a.orch.yaml', pipelineOf('Start', 'extra', 'load'));
    project.commit('A new problem');
    const failed = await review('--base', base, '--new-only', '--json');

    expect(known).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 finding is also in the base and does not count.'),
    });
    expect(failed.code).toBe(1);
    expect(JSON.parse(failed.stdout)).toMatchObject({
      counts: { error: 1 },
      base: { commit: base, known: 1 },
    });
  });

  test.each([
    [['--new-only'], '--new-only needs --base'],
    [
      ['--new-only', '--base', 'HEAD', '--update-baseline'],
      '--new-only cannot be combined with --update-baseline',
    ],
    [['--new-only', '--base', 'no-such-commit'], 'no-such-commit'],
  ])('%j is refused', async (args, message) => {
    const refused = await review(...args);
    expect([refused.code, refused.stderr]).toEqual([2, expect.stringContaining(message)]);
  });

  test('--update-baseline for some files keeps the entries of other files, committed or not', async () => {
    project.write('b.orch.yaml', pipelineOf('Start', 'more'));
    project.commit('Another');
    expect((await review('--update-baseline')).stdout).toContain('Recorded 2 findings');
    expect((await review('--update-baseline', 'a.orch.yaml')).stdout).toContain('Recorded 2 findings');
  });

  test('--update-baseline counts the recorded findings, in callers outside the given files once', async () => {
    project.write('millrace.yaml', 'version: 1\nreview: { scope: all, checks: { unknown-call: error } }\n');
    for (const file of ['a', 'b']) {
      const call = pipelineOf('Start', 'call').replace('sql-executor', 'run-orchestration');
      project.write(`${file}.orch.yaml`, `${call}      parameters: { orchestrationJob: "gone" }\n`);
    }
    project.commit('Calls');
    await review('--update-baseline');
    project.git('add', '-A');
    project.commit('The baseline');
    const { stdout } = await review('--update-baseline', '--base', 'HEAD~1', '--scope', 'changed', '--json');
    const lines = readFileSync(path.join(project.directory, baselineFile), 'utf8').trim().split('\n');
    expect(JSON.parse(stdout)).toMatchObject({ recorded: lines.length - 2 });
  });

  test('--update-baseline lists errors of evaluation without recording them, and fails', async () => {
    project.write(rulesPath, 'rules: [\n');
    project.commit('Broken rules');
    const recorded = await review('--update-baseline');
    expect(recorded.code).toBe(1);
    expect(recorded.stdout).toContain(`Recorded 0 findings in ${baselineFile}`);
    expect(recorded.stdout).toContain(
      '1 finding was not recorded: a baseline cannot include rules that could not be evaluated.',
    );
    expect(recorded.stdout).toContain('(rules-file, ');
    expect(JSON.parse((await review('--update-baseline', '--json')).stdout)).toMatchObject({
      outcome: 'failed',
      recorded: 0,
      notRecorded: [{ rule: 'rules-file', errorType: 'designer/rules-file-parse-error' }],
    });
  });

  test('a baseline of an older version is reported as one without counts', async () => {
    const rule =
      '{ id: maximum-components, enabled: true, enforcementLevel: error, config: { maxComponents: 1 } }';
    project.write(rulesPath, `rules: [${rule}]\n`);
    project.commit('Small pipelines only');
    await review('--update-baseline');
    const file = path.join(project.directory, baselineFile);
    writeFileSync(file, readFileSync(file, 'utf8').replace(/"count":\d+,/, ''));
    project.git('add', '-A');
    project.commit('The baseline of an older version');
    expect(await review()).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(
        '1 finding may become more without notice, because the baseline has no count for it.',
      ),
    });
  });

  test('a baseline that cannot be read is not replaced', async () => {
    project.write(`${baselineFile}/in-its-place`, '');
    expect(await review('--update-baseline')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(
        `The review baseline ${baselineFile} cannot be read (EISDIR), so it was not replaced.`,
      ),
    });
  });

  test('counts the findings of the baseline that are fixed', async () => {
    await review('--update-baseline');
    project.write('a.orch.yaml', pipelineOf('Start', 'Load'));
    project.commit('Better');
    expect(await review()).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('1 finding of the baseline is fixed.'),
    });
  });

  test('prints the line with a caret, or one of three formats for programs', async () => {
    const [text, json, sarif, markdown] = await Promise.all(
      ['text', 'json', 'sarif', 'markdown'].map((format) => review('--format', format)),
    );

    expect(text?.stdout).toMatch(/9 \| {5}load:\n +\| {5}\^{4}\n/);
    expect(JSON.parse(json?.stdout ?? '')).toMatchObject({ outcome: 'failed', counts: { error: 1 } });
    expect(JSON.parse(sarif?.stdout ?? '')).toMatchObject({ version: '2.1.0' });
    expect(markdown?.stdout).toContain('<code>component-naming-convention</code>');
    expect([text, json, sarif, markdown].map((ended) => ended?.code)).toEqual([1, 1, 1, 1]);
  });

  test('accepts file names relative to the current folder, and relative to the root of the repository', async () => {
    project.write('team/sub/b.orch.yaml', pipelineOf('Start', 'bad'));
    project.commit('A team');
    const below = (cwd: string, ...args: string[]) =>
      inProcess(['review', '--local', '--working-directory', project.directory, ...args], {
        cwd: path.join(project.directory, cwd),
        env: { PATH: process.env.PATH ?? '' },
      });
    const found = /1 file reviewed \(the named files\): 1 error\. The review failed\./;
    for (const [cwd, name] of [
      ['team', 'sub/b.orch.yaml'],
      ['team/sub', './b.orch.yaml'],
      ['team/sub', 'team/sub/b.orch.yaml'],
      ['team', '../a.orch.yaml'],
      ['', path.join(project.directory, 'a.orch.yaml')],
    ] as const) {
      expect((await below(cwd, name)).stdout).toMatch(found);
    }
    const missing = await below('team', 'b.orch.yaml', 'x.sql');
    expect(missing.code).toBe(2);
    expect(missing.stderr).toMatch(
      /"team\/b\.orch\.yaml", "team\/x\.sql"\.\n.*Did you mean "team\/sub\/b\.orch\.yaml"\?/,
    );
  });

  describe('with folders and globs as arguments', () => {
    const inFolder = (cwd: string, ...args: string[]) =>
      inProcess(['review', '--local', '--json', ...args], {
        cwd: path.join(project.directory, cwd),
        env: { PATH: process.env.PATH ?? '' },
      });
    const reviewed = async (cwd: string, ...args: string[]) => {
      const { stdout } = await inFolder(cwd, ...args);
      return (JSON.parse(stdout) as { reviewed: readonly string[] }).reviewed;
    };
    beforeEach(() => {
      project.write('team/b.orch.yaml', pipelineOf('Start', 'B'));
      project.write('team/sub/c.orch.yaml', pipelineOf('Start', 'C'));
      project.write('team/[new] {x}.orch.yaml', pipelineOf('Start', 'D'));
      project.write('team/notes.md', 'Notes');
      project.write('sql/load.sql', 'select 1');
      project.commit('A team');
    });

    test.each([
      ['', ['team'], ['team/[new] {x}.orch.yaml', 'team/b.orch.yaml', 'team/sub/c.orch.yaml']],
      ['', ['team/sub/', 'a.orch.yaml'], ['a.orch.yaml', 'team/sub/c.orch.yaml']],
      ['team', ['sub'], ['team/sub/c.orch.yaml']],
      ['team/sub', ['.'], ['team/sub/c.orch.yaml']],
      ['team/sub', ['../*.orch.yaml'], ['team/[new] {x}.orch.yaml', 'team/b.orch.yaml']],
      ['', ['**/{b,c}.orch.yaml'], ['team/b.orch.yaml', 'team/sub/c.orch.yaml']],
      ['sql', ['team/s*'], ['team/sub/c.orch.yaml']],
      ['', ['team/[new] {x}.orch.yaml'], ['team/[new] {x}.orch.yaml']],
      ['', ['a.orch.yaml', '*.orch.yaml'], ['a.orch.yaml']],
    ] as const)('in "%s" %j means %j', async (cwd, args, files) => {
      expect((await reviewed(cwd, ...args)).toSorted()).toEqual(files);
    });

    test('a folder or a glob does not include files of files.exclude', async () => {
      project.write('millrace.yaml', 'version: 1\nfiles: { exclude: ["team/sub/**"] }\n');
      project.commit('Less');
      expect(await reviewed('', 'team/*b*')).toEqual(['team/b.orch.yaml']);
    });

    test.each([
      ['sql', 'The folder \\"sql\\" contains no pipeline of the project.'],
      ['*.json', 'No pipeline of the project matches \\"*.json\\".'],
      ['no-such-folder', 'are not in commit'],
    ])('"%s", which holds no pipeline, is refused', async (name, message) => {
      expect(await inFolder('', name)).toMatchObject({ code: 2, stdout: expect.stringContaining(message) });
    });
  });

  test('without changes, says that nothing is staged, or names the base that was compared', async () => {
    expect((await review('--scope', 'changed', '--staged')).stdout).toBe(
      'Nothing to review: nothing is staged.\n',
    );
    expect((await review('--scope', 'changed', '--base', 'main')).stdout).toBe(
      'Nothing to review: no pipelines changed since main.\n',
    );
    project.write('a.orch.yaml', pipelineOf('Start', 'Load'));
    expect((await review('--scope', 'changed', '--working-tree')).stdout).toMatch(
      /^.*, files: as they are on disk, .*\n1 file reviewed \(pipelines changed since the last commit\): no findings\. The review passed\.\n$/,
    );
  });

  test('warns about files that would be pipelines with another name, also in a change', async () => {
    for (const name of ['b.orch.yml', 'c.ORCH.YAML', 'sub/d.Tran.yaml ', 'f.yml', 'g.orch.yaml.bak'])
      project.write(name, pipelineOf('Start', 'Load'));
    project.write('e.orch.yaml', pipelineOf('Start', 'Load', 'Other'));
    project.commit('Names');
    const leftOut = async (...args: string[]) => {
      const { findings } = JSON.parse((await review('--json', ...args)).stdout) as ReviewReport;
      return findings
        .filter(({ rule }) => rule === 'millrace/left-out')
        .map(({ file, severity, message }) => [file, severity, /Rename it to "(.*?)"/.exec(message)?.[1]]);
    };
    const [b, c, d] = [
      ['b.orch.yml', 'warning', 'b.orch.yaml'],
      ['c.ORCH.YAML', 'warning', 'c.orch.yaml'],
      ['sub/d.Tran.yaml ', 'warning', 'sub/d.tran.yaml'],
    ];
    expect(await leftOut()).toEqual([b, c, d]);
    expect(await leftOut('b.orch.yml', 'e.orch.yaml')).toEqual([b]);

    // Nothing calls the pipeline, so nothing else says that it is gone.
    project.git('mv', 'e.orch.yaml', 'e.orch.yml');
    const yml = ['e.orch.yml', 'warning', 'e.orch.yaml'];
    expect(await leftOut('--staged', '--scope', 'changed')).toEqual([yml]);
    project.git('mv', 'e.orch.yml', 'sub/e.yaml');
    const other = ['sub/e.yaml', 'warning', 'sub/e.orch.yaml'];
    expect(await leftOut('--staged', '--scope', 'changed')).toEqual([other]);

    project.write('millrace.yaml', 'version: 1\nfiles: { exclude: ["*.yml", "sub/**"] }\n');
    project.git('add', 'millrace.yaml');
    expect(await leftOut('--staged', '--scope', 'all')).toEqual([c]);
  });

  test('warns about pipelines excluded because of a dot, and about a project without pipelines', async () => {
    project.git('mv', 'a.orch.yaml', 'b.orch.yaml');
    project.write('.etl/daily/load.orch.yaml', pipelineOf('Start', 'load'));
    project.write('.etl/daily/more.orch.yaml', pipelineOf('Start', 'load'));
    project.commit('A folder with a dot');
    const some = await review();
    expect(some.stdout).toContain('2 pipelines are neither reviewed nor published: ".etl" begins with a dot');
    expect(some.stdout).toMatch(/1 file reviewed .*: 1 error, 1 warning/u);

    project.git('rm', '-q', 'b.orch.yaml');
    project.commit('Only that folder');
    const none = await review();
    expect(none).toMatchObject({ code: 0, stdout: expect.stringContaining('millrace/left-out') });
    expect(none.stdout).toMatch(/Nothing to review: .* begins with a dot\.\n$/u);
    expect((await review('--fail-on', 'warning')).code).toBe(1);
    expect((await review('--format', 'markdown')).stdout).toContain('Nothing to review');

    for (const files of ['include: [".etl/**"]', 'exclude: [".etl/**"]']) {
      project.write('millrace.yaml', `version: 1\nfiles: { ${files} }\nreview: { scope: all }\n`);
      project.commit(files);
      expect((await review()).stdout).not.toContain('millrace/left-out');
    }
    expect((await review()).stdout).toContain('millrace/no-pipelines');
  });

  test('given files that are not pipelines are nothing to review', async () => {
    project.write('notes.md', 'x');
    project.commit('Notes');
    expect(await review('notes.md')).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('Nothing to review: none of the named files is a pipeline.'),
    });
  });

  test('reports staged settings that are invalid, independent of the disk', async () => {
    project.write('a.orch.yaml', pipelineOf('Start', 'Load'));
    project.commit('Better');
    project.write('millrace.yaml', 'version: 1\nreview: { scop: all }\n');
    project.git('add', '-A');
    project.write('millrace.yaml', 'version: 1\n');
    const staged = await review('--staged');
    expect(staged).toMatchObject({ code: 2, stderr: expect.stringContaining('millrace.yaml:2:11') });
    const ofChange = await review('--staged', '--base', 'HEAD');
    expect(ofChange).toMatchObject({ code: 1, stdout: expect.stringContaining('millrace/config-invalid') });
    expect((await review('--working-tree')).code).toBe(0);
  });

  test('warns in a folder above several projects, and suggests one of them', async () => {
    project.git('rm', '-q', 'millrace.yaml');
    for (const team of ['finance', 'sales']) project.write(`${team}/millrace.yaml`, 'version: 1\n');
    project.commit('Two projects');
    expect((await review()).stderr).toContain(
      'This folder has no millrace.yaml, but these folders below it have one: finance, sales. To use the settings of one project, give --working-directory finance.',
    );
    expect((await review('--working-directory', 'finance')).stderr).not.toContain('no millrace.yaml');
    // The caller is in a project: only its settings find what the change breaks.
    project.git('rm', '-q', 'a.orch.yaml');
    for (const scope of ['--working-tree', '--staged']) {
      const { code, stdout, stderr } = await review(scope, '--scope', 'changed');
      expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
      expect(stderr).toMatch(
        /below it have one: finance, sales\. So (?:nothing was reviewed|the hook would review no project)/,
      );
    }
  });

  test.each(['--staged', '--working-tree'])(
    'refuses %s with --commit, which would have no effect',
    async (option) => {
      const { code, stderr } = await review(option, '--commit', 'HEAD~1');
      expect([code, stderr]).toEqual([
        2,
        expect.stringContaining(`${option} cannot be combined with --commit`),
      ]);
    },
  );

  test.each([[['--staged', '--working-tree']], [['--staged', '--base', 'no-such-commit']]])(
    'refuses %j',
    async (args) => {
      expect((await review(...args)).code).toBe(2);
    },
  );
});

test('the platform cannot review uncommitted files', async () => {
  using project = reviewProject();
  project.commit('A project');
  const ended = await inProcess(['review', '--staged'], {
    cwd: project.directory,
    env: { PATH: process.env.PATH ?? '' },
  });
  expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('--staged needs --local') });
});
