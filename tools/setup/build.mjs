import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { runThrough } from './child.mjs';
import { clone, store } from './clone.mjs';

/**
 * TypeScript to JavaScript in `build/`: what `npm pack` ships, since Node strips no types under node_modules. It is
 * made under another name first, so that nobody ever runs half of it.
 */
export async function compile({ node, env }) {
  mkdirSync(store, { recursive: true });
  const part = mkdtempSync(join(store, 'build-'));
  try {
    const args = [tool('typescript', 'tsc'), '-p', 'tsconfig.build.json', '--outDir', part];
    const code = await runThrough(node, args, { env });
    if (code !== 0) return code;
    copyAssets(part);
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

/** Files that the code reads at run time and that tsc does not carry over: pages, styles, Lua scripts. */
function copyAssets(target) {
  for (const folder of ['cli', 'lib', 'platform', 'worker']) {
    cpSync(join(clone, folder), join(target, folder), {
      recursive: true,
      filter: (path) => !/\.[^/\\.]*$/.test(path) || /\.(lua|html|css|svg|json|sql)$/.test(path),
    });
  }
}

/** The file behind a package's command: started by our Node, so that the machine's older one never runs it. */
export function tool(packageName, command = packageName) {
  const folder = join(clone, 'node_modules', packageName);
  const { bin } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return join(folder, typeof bin === 'string' ? bin : bin[command]);
}
