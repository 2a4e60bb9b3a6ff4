import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { promisify } from 'node:util';
import { pairwiseOf, type Row } from '../measure.ts';
import { startBenchServer } from '../servers/start-bench-server.ts';

const run = promisify(execFile);
const mebibyte = 1024 * 1024;

/** Uploads from the disk against `curl` sending the same files; each reports its own time, without its start-up. */
export async function clientUploads(): Promise<Row[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'millrace-bench-'));
  await using server = await startBenchServer();
  try {
    const small = Array.from({ length: 2000 }, (_, index) => `team-${index % 10}/pipeline-${index}.sql`);
    const large = Array.from({ length: 4 }, (_, index) => `large/${index}.sql`);
    for (const name of small) await put(folder, name, Buffer.alloc(8000, name));
    for (const name of large) await put(folder, name, Buffer.alloc(256 * mebibyte, name));
    return [
      await row('upload of 2,000 files of 8 kB, warm', folder, small, server.url, { rounds: 7, warmUps: 8 }),
      await row('upload of 2,000 files of 8 kB, cold', folder, small, server.url, { rounds: 7, warmUps: 0 }),
      await row('upload of 1 GB in 4 files, warm', folder, large, server.url, { rounds: 21, warmUps: 1 }),
      await row('upload of 1 GB in 4 files, cold', folder, large, server.url, { rounds: 21, warmUps: 0 }),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function put(folder: string, name: string, content: Uint8Array): Promise<void> {
  await mkdir(path.dirname(path.join(folder, name)), { recursive: true });
  await writeFile(path.join(folder, name), content);
}

async function row(
  what: string,
  folder: string,
  names: readonly string[],
  url: string,
  { rounds, warmUps }: { readonly rounds: number; readonly warmUps: number },
): Promise<Row> {
  const list = path.join(folder, 'list');
  const config = path.join(folder, 'curl.conf');
  await writeFile(list, names.join('\n'));
  await writeFile(
    config,
    [
      `url = "${url}/v1/projects/p/artifacts"`,
      'header = "authorization: Bearer secret-token"',
      'header = "versionName: 1"',
      'header = "environmentName: dev"',
      `header = "commitHash: ${'0'.repeat(40)}"`,
      'output = "/dev/null"',
      'write-out = "%{time_total}"',
      ...names.map((name) => `form = "${name}=@${name};type=text/plain"`),
    ].join('\n'),
  );
  const script = path.join(import.meta.dirname, 'upload-process.ts');
  const added: number[] = [];
  const { ours, reference } = await pairwiseOf(
    rounds,
    async () => {
      const { stdout } = await run(process.execPath, [script, url, folder, list, String(warmUps)]);
      const { ms, kib } = JSON.parse(stdout) as { ms: number; kib: number };
      added.push(kib / 1024);
      return ms;
    },
    async () => {
      const { stdout } = await run('curl', ['-sS', '--fail', '-K', config], { cwd: folder });
      return Number(stdout) * 1000;
    },
  );
  return {
    what: `${what} (peak memory rose by ${Math.max(...added).toFixed(0)} MiB at most)`,
    ours,
    referenceName: '`curl` sending them',
    reference,
  };
}
