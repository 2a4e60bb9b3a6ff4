import type { Snapshot } from '../../../lib/git/snapshot.ts';
import { calledPath, type CallTargets } from '../../../lib/pipelines/model/calls.ts';
import { type CallFact, callFacts } from '../../../lib/pipelines/checks/call-facts.ts';
import { type ScriptFact, scriptFacts } from '../../../lib/pipelines/checks/missing-file.ts';
import type { CheckSteps } from '../../../lib/pipelines/checks/breach.ts';
import {
  type DeclaredVariables,
  declaredVariables,
  passingBreaches,
  refusedVariables,
} from '../../../lib/pipelines/checks/passed-variable.ts';
import type { PipelineDocument } from '../../../lib/pipelines/model/read-pipeline.ts';
import { inRepository } from '../../../lib/git/in-repository.ts';
import type { ReadRoots } from './call-roots.ts';
import { readPipelines } from './read-pipelines.ts';

/**
 * The facts about a pipeline that checks of several files need. Ten thousand whole documents would not fit into
 * memory.
 */
export interface PipelineFacts {
  readonly calls: readonly CallFact[];
  readonly scripts: readonly ScriptFact[];
  /** Undefined if the file cannot be read. */
  readonly variables: DeclaredVariables;
}

export function pipelineFacts(document: PipelineDocument): PipelineFacts {
  return {
    calls: callFacts(document),
    scripts: scriptFacts(document),
    variables: declaredVariables(document),
  };
}

/** Facts of pipelines by their paths in the project. */
export type FactsByFile = Map<string, PipelineFacts>;

/**
 * Adds the facts of the pipelines to which the known ones pass variables. With `follow`, adds all pipelines that
 * they call, directly or indirectly, because a cycle may lead through files that the change did not touch.
 */
export async function readCalled(
  facts: FactsByFile,
  targets: CallTargets,
  {
    snapshot,
    directory,
    follow,
    prepare,
  }: { snapshot: Snapshot; directory: string; follow: boolean; prepare: ReadRoots['prepare'] },
): Promise<void> {
  const unread = (files: Iterable<string>) =>
    new Set(
      Array.from(files, (file) => facts.get(file)?.calls ?? [])
        .flat()
        .filter(({ passed }) => follow || passed.length > 0)
        .flatMap((call) => calledPath(call, targets) ?? [])
        .filter((path) => !facts.has(path)),
    );
  for (let next = unread(facts.keys()); next.size > 0; next = follow ? unread(next) : new Set()) {
    await addFacts(facts, next, { snapshot, directory });
    await prepare([...next].flatMap((file) => facts.get(file)?.calls ?? []));
  }
}

/** Adds the facts of these pipelines. */
export async function addFacts(
  facts: FactsByFile,
  paths: Iterable<string>,
  { snapshot, directory }: { snapshot: Snapshot; directory: string },
): Promise<void> {
  const files = Array.from(paths, (path) => inRepository(directory, path));
  const prefix = inRepository(directory, '').length;
  for await (const document of readPipelines(snapshot, files))
    facts.set(document.path.slice(prefix), pipelineFacts(document));
}

/** The violations of calls that pass a variable which the called pipeline does not accept. */
export function* refusedCalls(
  file: string,
  calls: readonly CallFact[],
  {
    facts,
    callTargets,
    isProjectVariable,
  }: {
    readonly facts: FactsByFile;
    readonly callTargets: CallTargets;
    readonly isProjectVariable: (name: string) => boolean;
  },
): CheckSteps {
  for (const call of calls) {
    yield undefined;
    yield* passingBreaches(file, call);
    const path = calledPath(call, callTargets);
    const declared = path === undefined ? undefined : facts.get(path)?.variables;
    if (path !== undefined && declared !== undefined)
      yield* refusedVariables(file, call, { path, variables: declared }, isProjectVariable);
  }
}
