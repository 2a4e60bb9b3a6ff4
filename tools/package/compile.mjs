import { existsSync } from 'node:fs';
import process from 'node:process';
import { compile } from '../setup/build.mjs';
import { installPackages } from '../setup/packages.mjs';

/**
 * Compiles the package where npm installs it from git, as pre-commit does: npm starts `prepare` there. `npm pack` and
 * `npm publish` start it too, but after `prepack`, which has compiled already.
 */
const hasCompiler = () => existsSync(new URL('../../node_modules/typescript/package.json', import.meta.url));

if (!['pack', 'publish'].includes(process.env.npm_command ?? '')) {
  // For `--global`, npm forgets to install the development packages before it starts `prepare`.
  if (process.env.npm_config_global === 'true' && !hasCompiler()) {
    for (const name of ['global', 'location', 'prefix']) delete process.env[`npm_config_${name}`];
    await installPackages();
  }
  if (hasCompiler()) process.exitCode = await compile({ node: process.execPath, env: process.env });
  else {
    process.stderr.write(
      'Millrace cannot be compiled here, because its development packages are not installed: the package would be empty.\n' +
        'Install the file that a release has, or that `npm pack` writes in a clone (docs/install.md). In a clone, run `npm run setup`.\n',
    );
    process.exitCode = 1;
  }
}
