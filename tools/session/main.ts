import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { runCli } from '../../cli/run-cli.ts';
import { systemClock } from '../../lib/core/ports/system-clock.ts';
import { sessionName } from '../pictures/picture-list.ts';
import { type RecordedCommand, sessionSvg } from './session-svg.ts';

const root = path.resolve(import.meta.dirname, '../..');
const pipeline = 'daily/region-sales.tran.yaml';
const commands = [
  ['review', '--local', '--working-tree', pipeline],
  ['review', '--local', '--working-tree', pipeline, '--fix'],
  ['test', pipeline],
];

const folder = mkdtempSync(path.join(tmpdir(), 'millrace-session-'));
try {
  plantMistake(folder);
  const recorded: RecordedCommand[] = [];
  for (const args of commands)
    recorded.push({ command: `millrace ${args.join(' ')}`, lines: await run(args, folder) });
  const title =
    'A terminal: millrace review finds a reference to a component that was deleted, millrace review --fix removes it, and millrace test shows that the pipeline computes what its tests expect.';
  const file = path.join(root, 'docs/pictures', sessionName);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, sessionSvg(title, recorded));
  process.stdout.write(`docs/pictures/${sessionName}\n`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

/** A copy of the example project in which a component still refers to one that was deleted. */
function plantMistake(copy: string): void {
  cpSync(path.join(root, 'examples/warehouse'), copy, { recursive: true });
  replaceIn(
    path.join(copy, 'millrace.yaml'),
    'review:\n',
    'review:\n  checks: { dangling-reference: error }\n',
  );
  // The same time in each run, so that the commit has the same id in the picture.
  const date = '2026-01-01T00:00:00Z';
  const env = { ...process.env, GIT_AUTHOR_DATE: date, GIT_COMMITTER_DATE: date };
  const git = (...args: string[]) => execFileSync('git', args, { cwd: copy, stdio: 'ignore', env });
  git('init', '-q', '-b', 'main');
  git('add', '-A');
  git('-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', 'commit', '-q', '-m', 'Start');
  replaceIn(path.join(copy, pipeline), '- "Sales Query"', '- "Sales Query"\n      - "Old Sales"');
}

function replaceIn(file: string, part: string, replacement: string): void {
  const before = readFileSync(file, 'utf8');
  const after = before.replace(part, replacement);
  if (after === before) throw new Error(`${file} does not contain ${part}`);
  writeFileSync(file, after);
}

/** The output of the command on a terminal with colours, without the durations, which differ each time. */
async function run(argv: readonly string[], cwd: string): Promise<readonly string[]> {
  const stdout = Object.assign(new PassThrough(), { isTTY: true });
  const read = text(stdout);
  await runCli({
    argv,
    cwd,
    stdout,
    env: { PATH: process.env['PATH'], HOME: cwd, TERM: 'xterm' },
    stdin: Readable.from([]),
    stderr: new PassThrough().resume(),
    interactive: false,
    signal: AbortSignal.timeout(120_000),
    clock: systemClock,
    random: Math.random,
  });
  stdout.end();
  const printed = (await read).trimEnd().replaceAll(/ {2}\d+ ms$/gm, '');
  return printed.split('\n');
}
