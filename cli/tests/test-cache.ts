import type { Command } from 'commander';
import os from 'node:os';
import path from 'node:path';
import type { TestCacheOptions } from '../../flows/pipeline-tests/cache/test-cache.ts';
import type { TestProject } from '../../flows/pipeline-tests/files/test-project.ts';
import { Failure } from '../../lib/core/errors/failure.ts';
import { messageOf } from '../../lib/core/errors/message-of.ts';
import { isInsideFolder } from '../../lib/core/files/inside-folder.ts';
import type { Session } from '../kit/session.ts';
import type { PythonPermission } from './python-permission.ts';

export interface CacheFlags {
  /** A folder, or false for `--no-cache`. */
  readonly cache?: string | boolean | undefined;
}

/** Adds the options of the cache. Without them, the cache is used. */
export function addCacheOptions(command: Command): Command {
  return command
    .option('--cache <folder>', 'folder for the results of tests that passed (default: in your cache folder)')
    .option('--no-cache', 'run every test, even if it passed before and its files have not changed');
}

/**
 * Opens the folder for results of tests: the folder of `--cache`, otherwise Millrace's folder in the user's cache
 * folder. Undefined with `--no-cache`, and if the user has no cache folder. Throws Failure 'usage' for a folder in
 * the project.
 */
export async function openTestCache(
  { io, here, output }: Pick<Session, 'io' | 'here' | 'output'>,
  { directory }: Pick<TestProject, 'directory'>,
  { cache, python }: CacheFlags & { readonly python: PythonPermission | undefined },
): Promise<TestCacheOptions | undefined> {
  if (cache === false) return undefined;
  const named = typeof cache === 'string' ? path.resolve(here, cache) : undefined;
  const folder = named ?? userFolder(io.env);
  if (folder === undefined) return undefined;
  if (named !== undefined && isInsideFolder(named, directory)) throw insideOfProject(directory);
  const { programDigest } = await import('../../lib/core/files/program-digest.ts');
  const { programKey } = await import('../../flows/pipeline-tests/cache/program-key.ts');
  const root = path.resolve(import.meta.dirname, '../..');
  const code = programDigest(['engine', 'flows', 'lib'].map((name) => path.join(root, name)));
  const program = programKey({ code, python: python?.program });
  if (program === undefined) return undefined;
  return {
    folder,
    program,
    now: io.clock.now(),
    onFailure: (error) =>
      output.logger.warn(
        `The results of the tests could not be kept in ${folder}: ${messageOf(error)} The next run repeats all tests; --no-cache keeps no results.`,
      ),
  };
}

/** `XDG_CACHE_HOME`, or what the system uses; undefined if the environment names no folder. */
function userFolder(env: Session['io']['env']): string | undefined {
  const absolute = (folder: string | undefined, ...more: readonly string[]) =>
    folder === undefined || !path.isAbsolute(folder) ? undefined : path.join(folder, ...more);
  const own = ['millrace', 'tests'];
  const named = absolute(env.XDG_CACHE_HOME, ...own);
  if (named !== undefined) return named;
  if (os.platform() === 'win32') return absolute(env.LOCALAPPDATA, 'millrace', 'cache', 'tests');
  if (os.platform() === 'darwin') return absolute(env.HOME, 'Library', 'Caches', ...own);
  return absolute(env.HOME, '.cache', ...own);
}

function insideOfProject(directory: string): Failure {
  return new Failure('usage', {
    message: `--cache names a folder inside of the project ${directory}: a change of the project could bring results of tests that never ran.`,
    where: { input: '--cache' },
    hint: 'Name a folder outside of the project, such as ~/.cache/millrace/tests.',
  });
}
