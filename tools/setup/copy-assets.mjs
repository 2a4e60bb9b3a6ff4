import { cpSync } from 'node:fs';
import path from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const root = path.resolve(import.meta.dirname, '../..');

/** The folders whose code reads files at run time. */
const folders = ['cli', 'engine', 'lib', 'platform', 'worker'];

/**
 * Copies the files that the code reads at run time and that tsc does not copy: pages, styles, scripts in Lua and Python.
 * `compile` and the Dockerfile both use this list. It has no dependencies, so that the image can run it.
 */
export function copyAssets(target) {
  for (const folder of folders) {
    cpSync(path.join(root, folder), path.join(target, folder), {
      recursive: true,
      filter: (file) => !/\.[^/\\.]*$/.test(file) || /\.(lua|py|html|css|svg|json|sql)$/.test(file),
    });
  }
}

// The Dockerfile starts this file.
if (process.argv[1] === fileURLToPath(import.meta.url)) copyAssets(path.resolve(process.argv[2] ?? 'build'));
