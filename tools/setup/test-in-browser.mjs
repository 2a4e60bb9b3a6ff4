import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runQuietly } from './child.mjs';
import { log } from './log.mjs';
import { test } from './test.mjs';
import { SetupError } from './setup-error.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/** Runs the tests in a real browser. */
export async function testInBrowser(tools, args) {
  return test(await withBrowser(tools), ['test/browser', ...args]);
}

/** The tools with MILLRACE_BROWSER set: as it was, else to a Chromium from PATH. */
export async function withBrowser(tools) {
  const env = { ...tools.env };
  env.MILLRACE_BROWSER ??= find(env) ?? (await install(env));
  return { ...tools, env };
}

function find({ PATH = '' }) {
  const places = PATH.split(delimiter).filter((folder) => folder !== '');
  return names.flatMap((name) => places.map((folder) => join(folder, name))).find(isProgram);
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** Installs Chromium with MILLRACE_INSTALL=system, otherwise throws. */
async function install(env) {
  const command = 'apt-get install -y chromium';
  if (env.MILLRACE_INSTALL === 'system') {
    log('installing chromium on this machine, because MILLRACE_INSTALL=system');
    const quiet = { env: { ...env, DEBIAN_FRONTEND: 'noninteractive', LC_ALL: 'C' } };
    await runQuietly('apt-get', ['update', '-qq'], quiet);
    await runQuietly('apt-get', ['install', '-qq', '-y', 'chromium'], quiet);
    const found = find(env);
    if (found !== undefined) return found;
  }
  throw new SetupError(
    'There is no Chromium in PATH.',
    `Run ${command} (MILLRACE_INSTALL=system does this for you), or set MILLRACE_BROWSER to the path of a Chromium.`,
  );
}
