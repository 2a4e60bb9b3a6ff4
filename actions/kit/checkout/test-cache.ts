import path from 'node:path';
import { programKey } from '../../../flows/pipeline-tests/cache/program-key.ts';
import type { TestCacheOptions } from '../../../flows/pipeline-tests/cache/test-cache.ts';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { messageOf } from '../../../lib/core/errors/message-of.ts';
import { isInsideFolder } from '../../../lib/core/files/inside-folder.ts';
import { programDigest } from '../../../lib/core/files/program-digest.ts';
import type { Step } from '../step/step.ts';

/**
 * Opens the folder in which results of tests are kept; undefined without the input. Throws Failure 'usage' for a
 * folder in the workspace.
 * @param packages the folder of the engine
 */
export function testCache(
  folder: string | undefined,
  packages: string,
  { facts, context, log }: Pick<Step, 'facts' | 'context' | 'log'>,
): TestCacheOptions | undefined {
  if (folder === undefined) return undefined;
  const absolute = path.resolve(facts.workspace, folder);
  if (isInsideFolder(absolute, facts.workspace)) {
    throw new Failure('usage', {
      message: `The folder "${folder}" is in the workspace: a pull request could bring results of tests that never ran.`,
      where: { input: 'cache' },
      hint: 'Name a folder outside of the workspace, such as ${{ runner.temp }}/millrace-tests.',
    });
  }
  const program = programKey({ code: programDigest(codeFolders()), packages, python: undefined });
  if (program === undefined) return undefined;
  return {
    folder: absolute,
    program,
    now: context.clock.now(),
    onFailure: (error) =>
      log(`The results of the tests could not be kept in ${absolute}: ${messageOf(error)}`),
  };
}

/** The bundle of the actions, or the source that it is made from. */
function codeFolders(): readonly string[] {
  const here = import.meta.dirname;
  if (!import.meta.url.endsWith('.ts')) return [here];
  return ['engine', 'flows', 'lib'].map((name) => path.resolve(here, '../../..', name));
}
