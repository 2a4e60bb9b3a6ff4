import { readFile } from 'node:fs/promises';
import process from 'node:process';
import { createClient, type UploadFile } from '../../../client/index.ts';
import { diskFile } from '../../../client/request/disk-file.ts';

// node upload-process.ts URL ROOT LIST WARM-UPS: uploads some of the files to warm up, then all for the measurement,
// and says the milliseconds and by how many KiB the peak of the process's memory rose over what it was before.

const [url = '', root = '', listFile = '', warm = '0'] = process.argv.slice(2);
const warmUps = Number(warm);
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
// A client that lives has warm code; `curl` has nothing to warm.
for (let round = 0; round < warmUps; round += 1) await upload(await filesOf(names.slice(0, 500)));
const files = await filesOf(names);
const before = await peakKib();
const begin = performance.now();
await upload(files);
const ms = performance.now() - begin;
console.log(JSON.stringify({ ms, kib: (await peakKib()) - before }));

/** The peak memory that the kernel records. `process.resourceUsage()` includes the value of the parent process. */
async function peakKib(): Promise<number> {
  const status = await readFile('/proc/self/status', 'utf8').catch(() => '');
  return Number(/VmHWM:\s*(\d+)/.exec(status)?.[1] ?? process.resourceUsage().maxRSS);
}
