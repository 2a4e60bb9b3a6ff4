import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { pairwise, type Row, runCommand } from '../measure.ts';

/** What a platform in a test costs as it is installed: to start and to stop one, against importing it alone. */
export async function platformStart(): Promise<Row[]> {
  const installed = pathToFileURL(path.resolve(import.meta.dirname, '../../../build/platform/index.js')).href;
  const running = (program: string) => () =>
    runCommand(process.execPath, ['--input-type=module', '-e', program], {
      cwd: path.resolve(import.meta.dirname, '../../..'),
    });
  const imported = `import { startPlatform } from ${JSON.stringify(installed)};`;
  const { ours, reference } = await pairwise(
    21,
    running(`${imported} const platform = await startPlatform(); await platform.close();`),
    running(imported),
  );
  const added = (ours.medianMs - reference.medianMs).toFixed(0);
  return [
    {
      what: `start and stop of the platform (${added} ms more)`,
      ours,
      referenceName: 'its imports',
      reference,
    },
  ];
}
