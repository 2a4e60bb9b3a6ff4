import process from 'node:process';
import { createClient, type UploadFile } from '../client/index.ts';
import { diskFile } from '../client/disk-file.ts';

// node upload-process.ts URL ROOT FILE…: uploads once to warm up, then once for the measurement, and says the
// milliseconds and by how many KiB the process's peak memory rose over what it was after the first.

const [url = '', root = '', listFile = ''] = process.argv.slice(2);
const { readFile } = await import('node:fs/promises');
const names = (await readFile(listFile, 'utf8')).trim().split('\n');
await using client = createClient({ baseUrl: url, auth: { token: 'secret-token' } });
// Looked at beforehand, as curl does before its own clock starts.
const filesOf = (relative: readonly string[]) => Promise.all(relative.map((name) => diskFile(root, name)));
const upload = async (files: readonly UploadFile[]): Promise<void> => {
  await client.artifacts.create({
    projectId: 'p',
    versionName: '1',
    environmentName: 'dev',
    commitHash: '0'.repeat(40),
    files,
  });
};
await upload(await filesOf([names[0] ?? '']));
const files = await filesOf(names);
const before = process.resourceUsage().maxRSS;
const begin = performance.now();
await upload(files);
const ms = performance.now() - begin;
console.log(JSON.stringify({ ms, kib: process.resourceUsage().maxRSS - before }));
