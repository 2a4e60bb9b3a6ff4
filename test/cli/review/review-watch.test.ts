import { mkdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { type ReviewProject, reviewProject, rulesPath } from '../../flows/review/review-project.ts';
import { inProcess } from '../in-process.ts';
import { startMillrace } from '../millrace.ts';
import { startWatched, type WatchedRun } from '../watched-run.ts';

const waiting = /Waiting for changes\. Press Ctrl-C to stop\.\n/;
const env = { PATH: process.env.PATH ?? '' };

const settings = (severity: string) =>
  `version: 1\nreview: { scope: all, checks: { dangling-reference: ${severity} } }\n`;
const pipeline = (to: string) =>
  `pipeline:\n  components:\n    Start:\n      transitions: { success: [${to}] }\n    End: {}\n`;

function open(files: Readonly<Record<string, string>> = {}): ReviewProject {
  const project = reviewProject();
  project.write(rulesPath, 'rules: []\n');
  project.write('millrace.yaml', settings('error'));
  project.write('a.orch.yaml', pipeline('End'));
  for (const [file, text] of Object.entries(files)) project.write(file, text);
  project.commit('A project');
  return project;
}

function start({ directory }: ReviewProject, ...more: string[]): WatchedRun {
  return startWatched(['review', '--local', '--working-tree', '--watch', ...more], directory, { env });
}

test('a change shows the new findings and those that are gone, and the total', async () => {
  using project = open({ 'b.orch.yaml': pipeline('lost') });
  const run = start(project);
  const first = await run.next(waiting);
  expect(first).toContain(
    'b.orch.yaml\n  4:32     error    The transition on success of "Start" names "lost"',
  );
  expect(first).toContain('2 files reviewed (all pipelines of the project): 1 error. The review failed.');
  project.write('a.orch.yaml', pipeline('away'));
  const second = await run.next(waiting);
  expect(second).toMatch(
    /^New:\na\.orch\.yaml\n {2}4:32 +error .*"away".*\n +4 \|.*\n +\| +\^+\n\n2 files reviewed .*: 2 errors\. .*\n/,
  );
  expect(second).not.toContain('b.orch.yaml');
  project.write('b.orch.yaml', `# moves the lines\n${pipeline('End')}`);
  const third = await run.next(waiting);
  expect(third).toMatch(
    /^Gone:\nb\.orch\.yaml\n {2}4:32 +error .*"lost".*\n\n2 files reviewed .*: 1 error\. .*\n/,
  );
  expect(third).not.toContain('a.orch.yaml');
  expect(await run.stop()).toBe(1);
  expect(run.rest()).toBe('');
});

test('a change that changes no finding shows nothing', async () => {
  using project = open();
  const run = start(project);
  await run.next(waiting);
  project.write('a.orch.yaml', `# a comment\n${pipeline('End')}`);
  project.write('notes.txt', 'x');
  project.write('b.orch.yaml', pipeline('End'));
  expect(await run.next(waiting)).toMatch(/^2 files reviewed [^\n]*: no findings\. The review passed\.\n/);
  expect(await run.stop()).toBe(0);
});

test('new, renamed and deleted files and folders are reviewed', async () => {
  using project = open();
  const run = start(project);
  await run.next(waiting);
  mkdirSync(path.join(project.directory, 'new/deep'), { recursive: true });
  project.write('new/deep/c.orch.yaml', pipeline('lost'));
  expect(await run.next(/2 files reviewed[^]*?Waiting.*\n/)).toContain('New:\nnew/deep/c.orch.yaml\n');
  const place = (file: string) => path.join(project.directory, file);
  renameSync(place('new/deep/c.orch.yaml'), place('new/deep/d.orch.yaml'));
  const renamed = await run.next(waiting);
  expect(renamed).toContain('New:\nnew/deep/d.orch.yaml\n');
  expect(renamed).toContain('Gone:\nnew/deep/c.orch.yaml\n');
  rmSync(place('new'), { recursive: true });
  expect(await run.next(/1 file reviewed[^]*?Waiting.*\n/)).toContain('Gone:\nnew/deep/d.orch.yaml\n');
  expect(await run.stop()).toBe(0);
});

test('settings, rules above the project and the baseline are read again; a wrong file is an error', async () => {
  using project = open({ 'in/b.orch.yaml': pipeline('lost'), 'in/millrace.yaml': settings('error') });
  const run = start(project, '--working-directory', 'in');
  expect(await run.next(waiting)).toContain('1 error. The review failed.');
  project.write('in/millrace.yaml', settings('warning'));
  expect(await run.next(waiting)).toMatch(/^New:\n[^]*: 1 warning, 1 notice\. The review passed\./);
  project.write('in/millrace.yaml', settings('wrong'));
  expect(await run.next(waiting)).toMatch(/^error: [^]*millrace\.yaml/);
  project.write('in/millrace.yaml', settings('warning'));
  expect(await run.next(waiting)).toMatch(/^1 file reviewed/);
  project.write(
    rulesPath,
    'rules: [{ id: maximum-components, enabled: true, enforcementLevel: error, config: { maxComponents: 1 } }]\n',
  );
  expect(await run.next(waiting)).toContain('(maximum-components, ');
  await inProcess(['review', '--local', '--working-tree', '--update-baseline'], {
    cwd: path.join(project.directory, 'in'),
    env,
  });
  expect(await run.next(waiting)).toMatch(/1 file reviewed .*: \d notices?\. The review passed\./);
  expect(await run.stop()).toBe(0);
});

test('a commit changes what a review of the changed files has', async () => {
  using project = open();
  const run = start(project, '--scope', 'changed');
  expect(await run.next(waiting)).toContain('Nothing to review');
  project.write('a.orch.yaml', pipeline('lost'));
  expect(await run.next(waiting)).toMatch(/^New:\na\.orch\.yaml\n/);
  project.commit('Lost');
  expect(await run.next(waiting)).toMatch(/^Gone:\na\.orch\.yaml\n[^]*\n\nNothing to review/);
  expect(await run.stop()).toBe(0);
});

test('of named folders, only their files are shown', async () => {
  using project = open({ 'daily/b.orch.yaml': pipeline('End') });
  const run = start(project, 'daily');
  expect(await run.next(waiting)).toContain('1 file reviewed');
  project.write('a.orch.yaml', pipeline('lost'));
  project.write('daily/c.orch.yaml', pipeline('lost'));
  const second = await run.next(/2 files reviewed[^]*?Waiting.*\n/);
  expect(second).toContain('daily/c.orch.yaml\n');
  expect(second).not.toContain('a.orch.yaml');
  expect(await run.stop()).toBe(1);
});

test('ignored folders are not watched, and after the end no folder is', async () => {
  using project = open({ '.gitignore': 'out\n', 'sub/x.txt': '' });
  project.write('out/deep/y.txt', '');
  const watched = () => process.getActiveResourcesInfo().filter((name) => name === 'FSEventWrap').length;
  await expect.poll(watched).toBe(0);
  const run = start(project);
  await run.next(waiting);
  // The project, sub, .platform, .platform/config and .git/logs.
  expect(watched()).toBe(5);
  await run.stop();
  await expect.poll(watched).toBe(0);
});

test.each([
  [
    ['--local', '--working-tree', '--json'],
    '--watch cannot be combined with --json: --watch reviews after each change, and --json is for one review.',
  ],
  [['--local', '--working-tree', '--format', 'sarif'], 'and --format sarif is for one review.'],
  [['--local', '--working-tree', '--fix'], 'and --fix is for one review.'],
  [['--local', '--working-tree', '--update-baseline'], 'and --update-baseline is for one review.'],
  [['--local', '--working-tree', '--statistics'], 'and --statistics is for one review.'],
  [['--local', '--working-tree', '--explain', 'unused-components'], 'and --explain is for one review.'],
  [['--local', '--working-tree', '--output-file', 'x'], 'and --output-file is for one review.'],
  [
    ['--local', '--staged'],
    '--watch needs --local and --working-tree, because it reviews the files on disk after each change.',
  ],
  [
    ['--local'],
    '--watch needs --local and --working-tree, because it reviews the files on disk after each change.',
  ],
])('--watch is refused with %j', async (options, message) => {
  using project = open();
  const { code, stdout, stderr } = await inProcess(['review', '--watch', ...options], {
    cwd: project.directory,
    env,
  });
  expect(code).toBe(2);
  expect(stdout + stderr).toContain(message);
});

test('the command ends when the reader of its output has gone, as in `--watch | head -1`', async () => {
  using project = open();
  const args = ['review', '--local', '--working-tree', '--watch'];
  await using running = startMillrace(args, { cwd: project.directory });
  await running.until('stderr', waiting);
  running.closeStdout();
  project.write('a.orch.yaml', pipeline('lost'));
  expect((await running.ended).code).toBe(1);
});
