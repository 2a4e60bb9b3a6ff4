import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { runThrough } from './child.mjs';
import { copyAssets } from './copy-assets.mjs';
import { clone, store } from './clone.mjs';

/**
 * Compiles TypeScript to JavaScript in `build/`. `npm pack` ships it, because Node does not strip types under node_modules.
 * The command line becomes a bundle. It compiles into a temporary folder first, so that `build/` is never incomplete.
 */
export async function compile({ node, env }) {
  mkdirSync(store, { recursive: true });
  const part = mkdtempSync(join(store, 'build-'));
  try {
    const args = [tool('typescript', 'tsc'), '-p', 'tsconfig.build.json', '--outDir', part];
    const code = await runThrough(node, args, { env });
    if (code !== 0) return code;
    copyAssets(part);
    const bundled = await runThrough(node, [join(clone, 'tools/package/bundle-cli.mjs'), part], { env });
    if (bundled !== 0) return bundled;
    chmodSync(join(part, 'cli', 'main.js'), 0o755);
    rmSync(join(clone, 'build'), { recursive: true, force: true });
    renameSync(part, join(clone, 'build'));
    return 0;
  } finally {
    rmSync(part, { recursive: true, force: true });
  }
}

/** `compile`, then the actions' bundles in `dist/`. */
export async function build(tools) {
  const code = await compile(tools);
  const bundler = join(clone, 'tools/actions/bundle.mjs');
  if (code !== 0 || !existsSync(bundler)) return code;
  return runThrough(tools.node, [bundler], { env: tools.env });
}

/** The file of a package's command, to start it with Node 24 instead of an older Node of the machine. */
export function tool(packageName, command = packageName) {
  const folder = join(clone, 'node_modules', packageName);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return join(folder, typeof bin === 'string' ? bin : bin[command]);
}
