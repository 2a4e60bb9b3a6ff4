import { decodeText } from '../../../lib/core/files/decode-text.ts';
import { type DeclaredVariables, declaredVariables } from '../../../lib/pipelines/checks/passed-variable.ts';
import { variablesOfScript } from '../../../lib/pipelines/checks/undeclared-variable.ts';
import { decodePipeline, maxPipelineBytes } from '../../../lib/pipelines/model/read-pipeline.ts';
import type { OwnSharedPipelines } from '../../../lib/pipelines/model/shared-pipelines.ts';
import { inRepository } from '../../../lib/git/in-repository.ts';
import { ignoreMissingHistory } from './ignore-missing-history.ts';
import { configFileOf, sharedFileOf, sharedOfProject, sharedPrefixIn } from './own-shared.ts';
import type { ReviewRequest } from './review-request.ts';
import type { ReviewScope } from './review-scope.ts';

/**
 * Reads files as they were before a change, so that only what the change broke is reported. Results are undefined
 * if that is not known.
 */
export interface BaseOfChange {
  shared(): Promise<OwnSharedPipelines | undefined>;
  /** `release.shared.prefix` of the settings. */
  sharedPrefix(): Promise<string | undefined>;
  /** Of a pipeline by its path in the project. */
  variables(path: string): Promise<DeclaredVariables>;
  /** The names of the variables that a script used, by its path in the project. */
  scriptVariables(path: string): Promise<ReadonlySet<string>>;
}

/** Reads single files of the commit from which the change starts: the merge base, if git knows it. */
export function baseOfChange(
  request: ReviewRequest,
  { from: commit }: Pick<ReviewScope, 'from'>,
): BaseOfChange {
  const { repository, directory } = request;
  const read = async (path: string): Promise<Uint8Array | undefined> => {
    if (commit === undefined) return undefined;
    const reading = repository.readFile(commit, path, { maxBytes: maxPipelineBytes });
    return ignoreMissingHistory(reading);
  };
  let shared: ReturnType<BaseOfChange['shared']> | undefined;
  const readShared = async () => {
    const content = await read(sharedFileOf(request));
    return content === undefined ? undefined : sharedOfProject(request, content).own;
  };
  return {
    shared: () => (shared ??= readShared()),
    async sharedPrefix() {
      const file = configFileOf(request);
      const content = await read(file);
      return content === undefined ? undefined : sharedPrefixIn(content, file);
    },
    async scriptVariables(path) {
      const { text = '' } = decodeText((await read(inRepository(directory, path))) ?? Buffer.of());
      return new Set(variablesOfScript(text).keys());
    },
    async variables(path) {
      const content = await read(inRepository(directory, path));
      return content === undefined ? undefined : declaredVariables(decodePipeline(path, content));
    },
  };
}
