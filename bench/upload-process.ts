import path from 'node:path';
import process from 'node:process';
import { createClient } from '../client/index.ts';
import { diskFile } from '../client/disk-file.ts';

// node upload-process.ts URL ROOT FILE…: uploads once to warm up, then once for the measurement, and says the
// milliseconds and by how many KiB the process's peak memory rose over what it was after the first.

const [url = '', root = '', listFile = ''] = process.argv.slice(2);
const { readFile } = await import('node:fs/promises');
const names = (await readFile(listFile, 'utf8')).trim().split('\n');
await using client = createClient({ baseUrl: url, auth: { token: 'secret-token' } });
const upload = async (relative: readonly string[]): Promise<void> => {
  const files = await Promise.all(relative.map((name) => diskFile(root, name)));
  await client.artifacts.create({
    projectId: 'p',
    versionName: '1',
    environmentName: 'dev',
    commitHash: '0'.repeat(40),
    files,
  });
};
await upload(names.slice(0, 1).map(() => path.join('warm-up.sql')));
const before = process.resourceUsage().maxRSS;
const begin = performance.now();
await upload(names);
const ms = performance.now() - begin;
console.log(JSON.stringify({ ms, kib: process.resourceUsage().maxRSS - before }));
