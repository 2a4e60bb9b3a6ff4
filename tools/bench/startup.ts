import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import process from 'node:process';
import { pairwise, type Row, runCommand } from './measure.ts';

/** What a user waits for before anything happens: `millrace --help` as it is installed, against an empty script. */
export async function startup(): Promise<Row[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'millrace-bench-'));
  try {
    const empty = path.join(folder, 'empty.js');
    await writeFile(empty, '');
    const main = path.resolve(import.meta.dirname, '../../build/cli/main.js');
    const node = process.execPath;
    const { ours, reference } = await pairwise(
      15,
      () => runCommand(node, [main, '--help']),
      () => runCommand(node, [empty]),
    );
    return [{ what: 'start-up: `millrace --help`', ours, referenceName: 'an empty script', reference }];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
