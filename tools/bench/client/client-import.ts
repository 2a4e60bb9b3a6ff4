import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { pairwise, type Row, runCommand } from '../measure.ts';

/** The start-up time of `import 'millrace/client'` as installed, compared with importing its dependencies. */
export async function clientImport(): Promise<Row[]> {
  const installed = pathToFileURL(path.resolve(import.meta.dirname, '../../../build/client/index.js')).href;
  const importing =
    (...modules: string[]) =>
    () =>
      runCommand(
        process.execPath,
        ['--input-type=module', '-e', modules.map((name) => `import ${JSON.stringify(name)};`).join('')],
        { cwd: path.resolve(import.meta.dirname, '../../..') },
      );
  const { ours, reference } = await pairwise(21, importing(installed), importing('undici', 'zod'));
  return [{ what: 'import of the client', ours, referenceName: 'importing undici and zod', reference }];
}
