import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { tool } from './build.mjs';
import { runQuietly } from './child.mjs';
import { clone } from './clone.mjs';

/** The checks of `npm run check`, in this order. All run, even after a failure. */
const checks = [
  { name: 'types', args: () => [tool('typescript', 'tsc'), '-p', '.'] },
  { name: 'lint', args: () => [tool('oxlint'), '--type-aware', '--deny-warnings'] },
  { name: 'format', args: () => [tool('prettier'), '--check', '--log-level=warn', '.'] },
  { name: 'dead code', args: () => [tool('knip'), '--no-progress'] },
  { name: 'layers', args: () => [tool('vitest'), 'run', '--reporter=dot', 'test/repository'] },
  { name: 'generated pages', args: () => [join(clone, 'tools/docs/generate.ts'), '--check'] },
  { name: 'size of the install', args: () => [join(clone, 'tools/package/install-size.mjs')] },
  { name: 'action bundles', args: () => [join(clone, 'tools/actions/bundle.mjs'), '--check'] },
];

/** Runs every check and prints a line for each; the exit code is 1 if one failed. */
export async function check({ node, env }) {
  let failed = 0;
  for (const { name, args } of checks) {
    const command = args();
    if (!existsSync(command[0])) continue;
    const { code, both } = await runQuietly(node, command, { env });
    process.stdout.write(`${code === 0 ? 'ok    ' : 'FAILED'} ${name}\n`);
    if (code !== 0) {
      failed += 1;
      process.stdout.write(`${both.trimEnd().replace(/^/gm, '       ')}\n`);
    }
  }
  process.stdout.write(
    failed === 0 ? 'all checks passed\n' : `${failed} of ${checks.length} checks failed\n`,
  );
  return failed === 0 ? 0 : 1;
}
