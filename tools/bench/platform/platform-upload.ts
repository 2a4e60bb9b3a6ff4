import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { orchestration } from '../../../test/environment/orchestration.ts';
import { pairwiseOf, type Row } from '../measure.ts';
import { startBenchServer } from '../servers/start-bench-server.ts';
import { startListServer } from '../servers/start-list-server.ts';

const run = promisify(execFile);
const mebibyte = 1024 * 1024;
const names = ['a.sql', 'b.sql', 'c.sql', 'd.sql'];
/** An artifact holds one at least. */
const pipeline = 'load.orch.yaml';

/** An upload of 1 GB by `curl` into the platform, which keeps it, against a server that reads and forgets it. */
export async function platformUpload(): Promise<Row[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'millrace-bench-'));
  try {
    await using platform = await startListServer('platform', path.join(folder, 'state'));
    await using forgetful = await startBenchServer();
    for (const name of names) await writeFile(path.join(folder, name), Buffer.alloc(256 * mebibyte, name));
    await writeFile(path.join(folder, pipeline), orchestration);
    const config = path.join(folder, 'curl.conf');
    await writeFile(
      config,
      [
        `header = "authorization: Bearer ${platform.token}"`,
        'header = "environmentName: environment-0"',
        `header = "commitHash: ${'0'.repeat(40)}"`,
        'output = "answer"',
        'write-out = "%{time_total}"',
        ...[...names, pipeline].map((name) => `form = "${name}=@${name};type=text/plain"`),
      ].join('\n'),
    );
    const before = await platform.peakKib();
    let version = 0;
    const upload = async (url: string): Promise<number> => {
      version += 1;
      const { stdout } = await run(
        'curl',
        [
          '-sS',
          '--fail-with-body',
          '-K',
          config,
          '-H',
          `versionName: 1.${version}`,
          `${url}/v1/projects/${platform.projectId}/artifacts`,
        ],
        { cwd: folder },
      );
      return Number(stdout) * 1000;
    };
    const { ours, reference } = await pairwiseOf(
      3,
      () => upload(platform.url),
      () => upload(forgetful.url),
    );
    const added = ((await platform.peakKib()) - before) / 1024;
    return [
      {
        what: `upload of 1 GB to the platform (peak memory rose by ${added.toFixed(0)} MiB)`,
        ours,
        referenceName: 'a server that forgets it',
        reference,
      },
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
