import { isBuiltin } from 'node:module';
import path from 'node:path';
import process from 'node:process';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';

/**
 * Bundles the programs that tests start as processes into a folder: such a start takes about half of the CPU time of one from
 * the sources. `npm test` makes a bundle for each run, so it is never older than the sources. `entry.ts` finds its files.
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
await bundle.write({ dir: process.argv[2], format: 'esm', chunkFileNames: 'parts/[name].js' });
await bundle.close();
