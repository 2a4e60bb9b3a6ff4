import { createRequire } from 'node:module';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { pairwise, type Row, runCommand } from './measure.ts';
import { typicalPipeline } from './pipeline-project.ts';

const root = path.resolve(import.meta.dirname, '../..');
const dist = path.join(root, 'dist');
const node = process.execPath;

/** The size and the time of the shipped actions, compared with the libraries that they contain. */
export async function actions(): Promise<Row[]> {
  // Below the clone, so that node_modules is found.
  const folder = path.join(root, '.millrace', 'bench-actions');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  try {
    const libraries = await bundleLibraries(folder);
    return [weight(libraries), await startUp(folder, libraries), await stub(folder), await dryRun()];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The packages that the actions import, bundled as the actions are, with nothing of ours. Gives its folder. */
async function bundleLibraries(folder: string): Promise<string> {
  const entry = path.join(folder, 'libraries.mjs');
  await writeFile(
    entry,
    `import * as core from '@actions/core';
import * as jsYaml from 'js-yaml/browser';
import undici from 'undici';
import * as yaml from 'yaml';
import { z } from 'zod';
export { core, jsYaml, undici, yaml, z };
export const github = () => import('@actions/github');
export const re2 = () => import('re2js');
`,
  );
  const out = path.join(folder, 'libraries');
  const ncc = createRequire(import.meta.url).resolve('@vercel/ncc/dist/ncc/cli.js');
  await runCommand(node, [ncc, 'build', entry, '--out', out, '--no-cache', '--target', 'es2022', '--quiet']);
  await writeFile(path.join(out, 'package.json'), '{ "type": "module" }\n');
  return out;
}

function weight(libraries: string): Row {
  const kilobytes = (of: string) =>
    readdirSync(of)
      .filter((name) => /\.m?js$/u.test(name))
      .reduce((sum, name) => sum + statSync(path.join(of, name)).size, 0) / 1000;
  const fixed = (size: number) => ({ medianMs: size, minMs: size, maxMs: size });
  return {
    what: 'size of all actions together, in kB',
    ours: fixed(kilobytes(dist)),
    referenceName: 'the libraries alone, bundled the same way',
    reference: fixed(kilobytes(libraries)),
  };
}

/** Reading the bundle is what every action starts with. */
async function startUp(folder: string, libraries: string): Promise<Row> {
  const load = async (name: string, bundle: string) => {
    const script = path.join(folder, name);
    await writeFile(script, `await import(${JSON.stringify(bundle)});\n`);
    return () => runCommand(node, [script]);
  };
  const entry = readdirSync(libraries).find((name) => name.startsWith('index.')) ?? '';
  const { ours, reference } = await pairwise(
    15,
    await load('ours.mjs', path.join(dist, 'index.js')),
    await load('reference.mjs', path.join(libraries, entry)),
  );
  return { what: 'start-up: the bundle is read', ours, referenceName: 'the libraries alone', reference };
}

/** `post` of a run that ended well: a whole action that has nothing to do. */
async function stub(folder: string): Promise<Row> {
  const empty = path.join(folder, 'empty.mjs');
  await writeFile(empty, '');
  const { ours, reference } = await pairwise(
    15,
    () => runCommand(node, [path.join(dist, 'run-post.js')]),
    () => runCommand(node, [empty]),
  );
  return {
    what: 'a stub from start to end: `run-post`, nothing to do',
    ours,
    referenceName: 'an empty script',
    reference,
  };
}

const hashAll = `import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { execFileSync } from 'node:child_process';
const listed = execFileSync('git', ['ls-tree', '-r', 'HEAD'], { encoding: 'utf8', maxBuffer: 1e9 });
const ids = listed.split('\\n').filter(Boolean).map((line) => line.split(/\\s/)[2]);
const git = spawn('git', ['cat-file', '--batch'], { stdio: ['pipe', 'pipe', 'inherit'] });
git.stdin.end(ids.join('\\n') + '\\n');
const chunks = [];
for await (const chunk of git.stdout) chunks.push(chunk);
let rest = Buffer.concat(chunks);
let count = 0;
while (rest.length > 0) {
  const head = rest.indexOf(10);
  const size = Number(rest.subarray(0, head).toString().split(' ')[2]);
  createHash('sha256').update(rest.subarray(head + 1, head + 1 + size)).digest('hex');
  rest = rest.subarray(head + 2 + size);
  count += 1;
}
if (count !== ids.length) throw new Error('not all were read');
`;

/** `publish` with `dry-run` of 2,000 files, against a script that reads them from git and hashes them. */
async function dryRun(): Promise<Row> {
  const place = await mkdtemp(path.join(tmpdir(), 'millrace-bench-'));
  try {
    const project = path.join(place, 'project');
    for (let index = 0; index < 2000; index += 1) {
      const file = path.join(project, `team-${index % 10}`, `pipeline-${index}.orch.yaml`);
      await mkdir(path.dirname(file), { recursive: true });
      await writeFile(file, typicalPipeline(index));
    }
    const git = (...args: string[]) =>
      runCommand('git', ['-c', 'user.name=Bench', '-c', 'user.email=bench@example.com', ...args], {
        cwd: project,
      });
    await git('init', '-q', '-b', 'main');
    await git('add', '-A');
    await git('commit', '-qm', 'A project of two thousand pipelines');
    const reference = path.join(place, 'hash-all.mjs');
    await writeFile(reference, hashAll);
    const sha = readFileSync(path.join(project, '.git', 'refs', 'heads', 'main'), 'utf8').trim();
    const event = path.join(place, 'event.json');
    await writeFile(event, JSON.stringify({ ref: 'refs/heads/main', before: '0'.repeat(40), after: sha }));
    const env = {
      PATH: process.env['PATH'],
      HOME: place,
      RUNNER_TEMP: place,
      GITHUB_EVENT_NAME: 'push',
      GITHUB_EVENT_PATH: event,
      GITHUB_REF: 'refs/heads/main',
      GITHUB_SHA: sha,
      GITHUB_REPOSITORY: 'demo/warehouse',
      GITHUB_API_URL: 'http://127.0.0.1:1',
      GITHUB_SERVER_URL: 'http://127.0.0.1:1',
      GITHUB_WORKSPACE: project,
      INPUT_VERSION: '1.0.0',
      INPUT_ENVIRONMENT: 'dev',
      'INPUT_DRY-RUN': 'true',
    };
    const measured = await pairwise(
      7,
      () => runCommand(node, [path.join(dist, 'publish.js')], { cwd: project, env }),
      () => runCommand(node, [reference], { cwd: project, env }),
    );
    return {
      what: 'dry-run publish of 2,000 files, the whole step',
      ...measured,
      referenceName: 'a script that reads them from git and hashes them',
    };
  } finally {
    await rm(place, { recursive: true, force: true });
  }
}
