import { chmodSync, cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { runCli } from '../../../cli/run-cli.ts';
import { systemClock } from '../../../lib/core/ports/system-clock.ts';
import { type TemporaryRepository, temporaryRepository } from '../../lib/git/temporary-repository.ts';
import { inProcess } from '../in-process.ts';
import { entry, millrace } from '../millrace.ts';

const examples = path.resolve(import.meta.dirname, '../../../examples/warehouse');
const { PATH = '', HOME = '' } = process.env;

/** The pipelines of the example project, without its settings and tests. */
function pipelines(folder = ''): TemporaryRepository {
  const work = temporaryRepository();
  for (const own of ['daily', 'shared', 'sql'])
    cpSync(path.join(examples, own), path.join(work.directory, folder, own), {
      recursive: true,
      filter: (file) => !file.endsWith('.test.yaml'),
    });
  work.commit('Pipelines');
  return work;
}

const run = ({ directory }: TemporaryRepository, ...args: string[]) =>
  inProcess(args, { cwd: directory, env: { PATH, HOME } });

/** All parts but the test, which needs the engine. */
const withoutTest = ['--baseline', '--hook', '--workflows'];

interface InitReport {
  readonly outcome: string;
  readonly files: readonly { readonly part: string; readonly path: string; readonly written: boolean }[];
  readonly left: readonly { readonly part: string; readonly path?: string; readonly exists: boolean }[];
}

async function init(work: TemporaryRepository, ...args: string[]) {
  const { code, stdout } = await run(work, 'init', '--json', ...args);
  return { code, ...(JSON.parse(stdout) as InitReport) };
}

const read = ({ directory }: TemporaryRepository, file: string) =>
  readFileSync(path.join(directory, file), 'utf8');

test('--yes writes everything, and hook, review and test accept it', async () => {
  using work = pipelines();
  work.write('.gitignore', 'node_modules/\n.env.local\n');
  work.write('node_modules/.bin/millrace', `#!/bin/sh\nexec '${process.execPath}' -- '${entry}' "$@"\n`);
  chmodSync(path.join(work.directory, 'node_modules/.bin/millrace'), 0o755);
  const { code, files, left } = await init(work, '--yes', '--environments', 'dev,test');
  expect({ code, left, parts: files.map(({ part }) => part) }).toEqual({
    code: 0,
    left: [],
    parts: ['settings', 'rules', 'baseline', 'test', 'hook', 'review-workflow', 'release-workflow'],
  });
  expect(read(work, '.github/workflows/millrace-review.yml')).toContain('          tests: true\n');
  work.commit('Set up Millrace');
  expect(await run(work, 'review', '--local')).toMatchObject({
    code: 0,
    stdout: expect.stringContaining('no new findings. The review passed.'),
  });
  expect(await run(work, 'test')).toMatchObject({ code: 0, stdout: expect.stringContaining('1 passed') });
  expect(await init(work, '--yes')).toMatchObject({ code: 0, outcome: 'nothing-to-do', files: [] });

  const before = read(work, 'daily/load.orch.yaml');
  work.write(
    'daily/load.orch.yaml',
    before.replace('components:\n', 'components:\n    Lost: { type: sql-script }\n'),
  );
  expect(() => work.commit('A component that nothing reaches')).toThrow(/unused-components/);
});

test('--dry-run writes nothing, and --diff shows a patch that git applies', async () => {
  using work = pipelines();
  const { code, stdout } = await run(work, 'init', ...withoutTest, '--dry-run', '--diff');
  expect([
    code,
    work.git('status', '--porcelain'),
    existsSync(path.join(work.directory, '.git/hooks')),
  ]).toEqual([0, '', false]);
  const patch = path.join(work.directory, '.git', 'a.patch');
  writeFileSync(patch, stdout.slice(stdout.indexOf('diff --git')));
  work.git('apply', '--exclude=.git/*', patch);
  const again = await init(work, ...withoutTest);
  expect(again.files.map(({ part }) => part)).toEqual(['hook']);
});

test('existing files are named and stay as they are', async () => {
  using work = pipelines();
  const mine = {
    'millrace.yaml': 'version: 1\nconfig-dir: rules\n',
    'rules/config/pipeline_quality_rules.yaml': 'rules: []\n',
    '.github/workflows/checks.yml':
      'on: push\njobs: { a: { steps: [{ uses: acme/copy/actions/pull-request@main }] } }\n',
    'daily/own.test.yaml': 'pipeline: daily/load\ntests: []\n',
  };
  for (const [file, content] of Object.entries(mine)) work.write(file, content);
  work.git('config', 'core.hooksPath', 'hooks');
  work.write('hooks/pre-commit', '#!/bin/sh\n');
  const { code, left, files } = await init(work, '--yes');
  expect(code).toBe(0);
  expect(left.filter(({ exists }) => exists).map((one) => one.path)).toEqual([
    'millrace.yaml',
    'rules/config/pipeline_quality_rules.yaml',
    'daily/own.test.yaml',
    '.github/workflows/checks.yml',
  ]);
  expect(left.filter(({ exists }) => !exists).map(({ part, path: file }) => [part, file])).toEqual([
    ['hook', 'hooks/pre-commit'],
    ['release-workflow', undefined],
  ]);
  expect(files.map((one) => one.path)).toEqual(['.gitignore', '.github/workflows/millrace-test.yml']);
  for (const [file, content] of Object.entries(mine)) expect(read(work, file)).toBe(content);
});

test('installed packages that git does not ignore are not pipelines of the project', async () => {
  using work = temporaryRepository();
  work.write('node_modules/millrace/examples/a.orch.yaml', 'type: orchestration\n');
  work.write('node_modules/millrace/examples/millrace.yaml', 'version: 1\n');
  const { stdout } = await run(work, 'init');
  expect(stdout).toContain('Found: 0 pipelines');
  expect(stdout).not.toContain('projects of their own');
  expect(work.git('status', '--porcelain').split('\n')).toEqual([
    '?? .gitignore',
    '?? .platform/',
    '?? millrace.yaml',
  ]);
});

test('packages that are new are committed with what npm wrote about them', async () => {
  using work = pipelines();
  work.write('node_modules/a/index.js', '');
  work.write('package.json', '{}');
  const { stdout } = await run(work, 'init');
  expect(stdout).toMatch(/git add package\.json millrace\.yaml .* && git commit/);
});

test('what could not be evaluated is named with its cause, and comes before the commit that the hook refuses', async () => {
  using work = pipelines();
  work.write('daily/broken.orch.yaml', 'type: orchestration\npipeline: [\n');
  const { code, stdout } = await run(work, 'init', '--baseline', '--hook');
  expect(code).toBe(0);
  expect(stdout).toMatch(
    /these files could not be evaluated\. .+:\n {2}daily\/broken\.orch\.yaml:\d+ error .+\(pipeline-file\)\n/,
  );
  expect(stdout).toMatch(
    /Next:\n {2}1\. Correct daily\/broken\.orch\.yaml:\d+\. Until then, a review fails, and the hook refuses the commit\.\n {2}2\. git add /,
  );
});

test('with the package in the project, the line for a hook that exists finds it there', async () => {
  using work = pipelines();
  work.write('.gitignore', 'node_modules/\n');
  work.write('.git/hooks/pre-commit', '#!/bin/sh\n');
  const line = async () => (await run(work, 'init', '--hook', '--dry-run')).stdout;
  expect(await line()).toContain('Start this command in your hook: millrace review --local --staged');
  work.write('node_modules/millrace/docs/schemas/millrace.schema.json', '{}');
  expect(await line()).toContain('Start this command in your hook: npx millrace review --local --staged');
  work.write('.pre-commit-config.yaml', 'repos: []\n');
  expect(await line()).toContain('entry: "npx millrace review --local --staged --scope changed"');
});

test('a second init asks for no part that exists', async () => {
  using work = pipelines();
  await run(work, 'init', ...withoutTest);
  expect((await run(work, 'init')).stdout).toContain('Options not given: --test. With --yes');
});

test('a .gitignore that exists stays, and the line that it lacks is named', async () => {
  using work = temporaryRepository();
  work.write('.gitignore', '*.log\n');
  work.write('node_modules/a.txt', '');
  const { code, stdout } = await run(work, 'init');
  expect([code, read(work, '.gitignore')]).toEqual([0, '*.log\n']);
  expect(stdout).toContain('Add this line to it: node_modules/');
  expect(stdout).toContain('Add this line to it: .env.local');
});

test('the file of `millrace platform --write-env .env.local`, which has tokens, is ignored by git', async () => {
  using work = pipelines();
  await init(work);
  expect(read(work, '.gitignore')).toBe('.env.local\n');
  work.write('.env.local', 'MILLRACE_TOKEN=secret\n');
  expect(work.git('status', '--porcelain')).not.toContain('.env');
  // What git ignores already needs no line.
  using other = pipelines();
  other.write('.gitignore', '.env*\n');
  expect((await init(other)).left.map(({ part }) => part)).not.toContain('ignore');
});

test('a package that lies outside of the repository is named, with the commands that bring it into the repository', async () => {
  using work = pipelines();
  const install = (file: string) =>
    work.write('package.json', JSON.stringify({ devDependencies: { millrace: file } }));
  const left = async () => (await init(work, '--dry-run')).left.filter(({ part }) => part === 'package');
  install('file:../my millrace/millrace-0.2.0.tgz');
  expect(await left()).toEqual([
    {
      part: 'package',
      path: 'package.json',
      reason: expect.stringContaining('`npm ci` fails for everybody else') as string,
      exists: false,
      hint: [
        expect.stringContaining('docs/install.md') as string,
        "mkdir -p vendor && cp '../my millrace/millrace-0.2.0.tgz' vendor/ && npm install --save-dev ./vendor/millrace-0.2.0.tgz",
      ],
    },
  ]);
  for (const shared of [
    'file:vendor/millrace-0.2.0.tgz',
    'https://example.com/millrace-0.2.0.tgz',
    '0.1.0',
  ]) {
    install(shared);
    expect(await left()).toEqual([]);
  }
});

test('packages that git tracks although .gitignore has the line: init names the command that ends it', async () => {
  using work = temporaryRepository();
  work.write('.gitignore', 'node_modules/\n');
  work.write('node_modules/a.orch.yaml', 'type: orchestration\n');
  work.git('add', '--force', 'node_modules');
  const { code, stdout } = await run(work, 'init');
  expect(code).toBe(0);
  expect(stdout).toContain('git rm -r -q --cached node_modules');
});

test('without a pipeline there is nothing to record: init writes no baseline', async () => {
  using work = temporaryRepository();
  const { stdout } = await run(work, 'init', '--baseline');
  expect(stdout).not.toContain('review-baseline.json');
  expect(stdout).toContain('A review finds 1 warning.\n');
  const { stdout: review } = await run(work, 'review', '--local', '--working-tree');
  expect(review).toContain('millrace/no-pipelines');
});

test('a review leaves out packages that git tracks, as init does', async () => {
  using work = pipelines();
  work.write('node_modules/a/b.orch.yaml', 'type: orchestration\n');
  work.write('node_modules/a/millrace.yaml', 'version: 1\n');
  work.commit('With packages');
  const { stdout } = await run(work, 'init');
  const { stdout: review, stderr } = await run(work, 'review', '--local', '--working-tree', '--json');
  expect(stdout).toContain('Found: 9 pipelines');
  expect(JSON.parse(review)).toMatchObject({ reviewed: { length: 9 } });
  expect(stderr).not.toContain('node_modules');
});

test('a part that the user named and that cannot be written fails the command with 1', async () => {
  using work = pipelines();
  work.write('.pre-commit-config.yaml', 'repos: []\n');
  const { code, stdout } = await run(work, 'init', '--hook');
  expect(code).toBe(1);
  expect(stdout).toContain('entry: "millrace review --local --staged --scope changed"');
});

test('a project in a subfolder has workflows and a hook of its own', async () => {
  using work = pipelines('team a');
  const { code, stdout } = await inProcess(
    ['init', '--json', ...withoutTest, '--actions', `acme/millrace@${'a'.repeat(40)}`],
    { cwd: path.join(work.directory, 'team a'), env: { PATH, HOME } },
  );
  const { files } = JSON.parse(stdout) as InitReport;
  expect(code).toBe(0);
  expect(files.map((one) => one.path)).toEqual(
    expect.arrayContaining(['team a/millrace.yaml', '.github/workflows/millrace-review-team-a.yml']),
  );
  const { jobs } = parse(read(work, '.github/workflows/millrace-review-team-a.yml')) as {
    jobs: { review: { steps: { uses: string; with: object }[] } };
  };
  expect(jobs.review.steps.at(-1)).toEqual({
    uses: `acme/millrace/actions/pull-request@${'a'.repeat(40)}`,
    with: { 'working-directory': 'team a', local: true },
  });
  expect(read(work, '.git/hooks/pre-commit')).toContain("--working-directory='team a'\n");
});

test('without a pipeline, settings and rules are written, and the command says that nothing was found', async () => {
  using work = temporaryRepository();
  const { code, stdout } = await run(work, 'init', '--yes');
  expect(code).toBe(0);
  expect(stdout).toContain('No .orch.yaml or .tran.yaml file was found.');
  expect(existsSync(path.join(work.directory, 'millrace.yaml'))).toBe(true);
});

test('without the engine, the command says how to install it, and writes the rest', async () => {
  using work = pipelines();
  work.write(
    '.git/without-engine.cjs',
    `const { Module } = require('node:module');
const resolve = Module._resolveFilename;
Module._resolveFilename = function (name, ...rest) {
  if (name === '@duckdb/node-api') throw new Error('not installed');
  return resolve.call(this, name, ...rest);
};
`,
  );
  const { code, stdout } = await millrace(['init', '--yes'], {
    cwd: work.directory,
    env: { NODE_OPTIONS: `--require "${path.join(work.directory, '.git/without-engine.cjs')}"` },
  });
  expect(code).toBe(0);
  expect(stdout).toMatch(/- test +Pipelines run on embedded DuckDB.*npm install @duckdb\/node-api@/);
  expect(stdout).toContain('+ millrace.yaml');
});

test.each([
  [['--project', 'mine'], '--project'],
  [['--environments', 'dev,,prod'], '--environments'],
  [['--actions', 'acme/millrace@main'], '--actions'],
  [['--config', 'other.yaml'], '--config'],
])('%j is wrong use', async (args, option) => {
  using work = temporaryRepository();
  const { code, stderr } = await run(work, 'init', ...args);
  expect([code, stderr]).toEqual([2, expect.stringContaining(option)]);
});

test('outside of a repository, the command fails and writes nothing', async () => {
  using work = temporaryRepository('--bare');
  const { code } = await run(work, 'init', '--yes');
  expect(code).toBe(2);
  expect(existsSync(path.join(work.directory, 'millrace.yaml'))).toBe(false);
});

describe('on a terminal', () => {
  /** Runs the command with answers that are typed one after the other. */
  async function typed(work: TemporaryRepository, answers: readonly string[], args: readonly string[] = []) {
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    const [stdout, stderr] = [new PassThrough(), new PassThrough()];
    const written = Promise.all([text(stdout), text(stderr)]);
    stdin.end(answers.map((answer) => `${answer}\n`).join(''));
    const code = await runCli({
      argv: ['init', ...args],
      env: { PATH, HOME },
      cwd: work.directory,
      stdin,
      stdout,
      stderr,
      interactive: true,
      signal: new AbortController().signal,
      clock: systemClock,
      random: Math.random,
    });
    stdout.end();
    stderr.end();
    const [out, err] = await written;
    return { code, out, err };
  }

  test('it asks, asks again after a wrong answer, shows the content, and writes what was agreed', async () => {
    using work = pipelines();
    const answers = ['no id', '', 'dev, test', 'n', 'maybe', 'n', '', '', 'acme@main', '', 'd', 'y'];
    const { code, out, err } = await typed(work, answers);
    expect(code).toBe(0);
    expect(err).toContain('It must be a UUID');
    expect(err).toContain('Answer y or n.');
    expect(err).toContain('\n+environments: [dev, test]\n');
    expect(err).toContain('Will write 6 files:\n');
    expect(err).not.toMatch(/Reviewing \d+ files?A review/);
    expect(out).toContain('Wrote 6 files.\n');
    expect(read(work, 'millrace.yaml')).toContain('environments: [dev, test]\n');
    expect(existsSync(path.join(work.directory, '.git/hooks/pre-commit'))).toBe(true);
    expect(existsSync(path.join(work.directory, '.platform/review-baseline.json'))).toBe(false);
  });

  test('"n" at the end writes nothing', async () => {
    using work = pipelines();
    const { code, out } = await typed(work, ['', '', 'n', 'n', 'n', 'n', 'n']);
    expect([code, out]).toEqual([0, 'Nothing was written.\n']);
    expect(work.git('status', '--porcelain')).toBe('');
  });

  test('an input that ends cancels the command, and nothing is written', async () => {
    using work = pipelines();
    const { code } = await typed(work, ['', '']);
    expect([code, work.git('status', '--porcelain')]).toEqual([130, '']);
  });

  test('options answer the questions', async () => {
    using work = temporaryRepository();
    const { code, err } = await typed(work, [], ['--yes']);
    expect([code, err]).toEqual([0, expect.not.stringContaining('[Y/n]')]);
  });
});

test('init lists the first five findings with their places, and counts the others', async () => {
  using work = temporaryRepository();
  const loose = Array.from({ length: 7 }, (_, index) => `    Loose ${index}: { type: end-success }\n`).join(
    '',
  );
  work.write(
    'load.orch.yaml',
    `type: orchestration\nversion: '1.0'\npipeline:\n  components:\n    Start: { type: start, transitions: { unconditional: [Done] } }\n    Done: { type: end-success }\n${loose}`,
  );
  const { code, stdout } = await run(work, 'init', '--baseline');
  expect(code).toBe(0);
  expect(stdout).toContain('  load.orch.yaml:7 error The component "Loose 0" is not reachable');
  expect(stdout.match(/^ {2}load\.orch\.yaml:/gm)).toHaveLength(5);
  expect(stdout).toMatch(/^ {2}and \d+ more$/m);
});
