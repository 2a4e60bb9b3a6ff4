import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

/**
 * Bundles the programs that tests start as processes into a folder: such a start takes about half of the CPU time of one from
 * the sources. `npm test` makes a bundle for each run, so it is never older than the sources. `entry.ts` finds its files.
 * Another run in the same clone may start programs from it, for example the run that a test of `npm test` is part of:
 * a file that has not changed is left as it is, and any other is replaced as a whole.
 */
const root = path.resolve(import.meta.dirname, '../../..');
const entries = ['cli/main', 'test/platform/serve', 'test/worker/crash/worker-process'];

/** A module that reads a file beside it, or starts one, still finds it: the bundle names the place of the module's source. */
const keepPlaces = {
  name: 'keep-places',
  transform(code, id) {
    if (!code.includes('import.meta.') || path.relative(root, id).startsWith('node_modules')) return null;
    return code
      .replaceAll('import.meta.dirname', JSON.stringify(path.dirname(id)))
      .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href));
  },
};

const bundle = await rolldown({
  input: Object.fromEntries(entries.map((name) => [name, path.join(root, `${name}.ts`)])),
  platform: 'node',
  external: (id) => isBuiltin(id) || id.startsWith('@duckdb/'),
  plugins: [keepPlaces],
  // Node 24 runs all that the sources use.
  tsconfig: false,
  transform: { target: 'esnext' },
  logLevel: 'silent',
});
const { output } = await bundle.generate({ format: 'esm', chunkFileNames: 'parts/[name].js' });
await bundle.close();
for (const file of output)
  replaceFile(path.join(process.argv[2], file.fileName), file.type === 'chunk' ? file.code : file.source);

function replaceFile(name, content) {
  if (contentOf(name) === content) return;
  mkdirSync(path.dirname(name), { recursive: true });
  const unfinished = `${name}.${process.pid}`;
  writeFileSync(unfinished, content);
  renameSync(unfinished, name);
}

function contentOf(name) {
  try {
    return readFileSync(name, 'utf8');
  } catch {
    return undefined;
  }
}
