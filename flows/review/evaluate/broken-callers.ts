import type { Snapshot } from '../../../lib/git/snapshot.ts';
import { calledPath, ownReferenceOf } from '../../../lib/pipelines/model/calls.ts';
import { type CheckBreach, firstBreaches } from '../../../lib/pipelines/checks/breach.ts';
import type { CallFact } from '../../../lib/pipelines/checks/call-facts.ts';
import { missingFiles, type ProjectFiles } from '../../../lib/pipelines/checks/missing-file.ts';
import {
  type DeclaredVariable,
  type DeclaredVariables,
  refusedVariables,
} from '../../../lib/pipelines/checks/passed-variable.ts';
import {
  type ScriptVariables,
  undeclaredInScripts,
} from '../../../lib/pipelines/checks/undeclared-variable.ts';
import {
  callsRemovedPipeline,
  type KnownPipelines,
  unknownCalls,
} from '../../../lib/pipelines/checks/unknown-call.ts';
import { kindOf, withoutSuffix } from '../../../lib/pipelines/model/pipeline-kind.ts';
import type { SourceProblem } from '../../../lib/yaml/read-yaml.ts';
import type { BaseOfChange } from '../scope/base-of-change.ts';
import { type PipelineFacts, pipelineFacts } from '../scope/project-facts.ts';
import type { ReadRoots } from '../scope/call-roots.ts';
import { readCallers } from '../scope/read-callers.ts';
import type { ReviewScope } from '../scope/review-scope.ts';

/** What a change may have broken in files that it did not touch. Paths are relative to the project. */
export interface BreakingChange {
  /** Pipelines that the change touched, whose variables may have changed. */
  readonly pipelines: ReadonlySet<string>;
  /** Other files that the change removed, or made symbolic links. */
  readonly files: ReadonlySet<string>;
  /** Scripts that the change touched, whose variables may have changed. */
  readonly scripts: ReadonlySet<string>;
  /** Whether the change touched the shared-pipelines file. */
  readonly shared: boolean;
  /** Pipelines that the change deleted or renamed, with their new paths. */
  readonly moved: ReadonlyMap<string, string | undefined>;
  /** Pipelines that the change added, also by renaming a file. */
  readonly added: ReadonlySet<string>;
}

export interface BrokenCallers {
  readonly breaches: readonly CheckBreach[];
  /** By file: its facts, and the facts of its calls that now lead to another pipeline. Such a call may close a cycle. */
  readonly redirected: ReadonlyMap<string, Redirected>;
}

interface Redirected {
  readonly facts: PipelineFacts;
  /** Names of components. */
  readonly components: ReadonlySet<string>;
}

export interface BrokenCallersInput {
  readonly snapshot: Snapshot;
  readonly scope: ReviewScope;
  readonly change: BreakingChange;
  readonly callTargets: KnownPipelines & { has(path: string): boolean };
  /** Prepares the resolving of calls. */
  readonly prepareCalls: ReadRoots['prepare'];
  readonly files: ProjectFiles;
  readonly base: BaseOfChange;
  /** The variables of the scripts that were read, with their lines. */
  readonly uses: ScriptVariables['uses'];
  readonly variablesOf: (path: string) => Promise<DeclaredVariables>;
  readonly isProjectVariable: (name: string) => boolean;
  readonly inProject: (path: string) => string;
  /** Whether calls that nothing shares any more are reported. */
  readonly checksUnknown: boolean;
  /** Whether a check depends on the pipeline to which a call leads. */
  readonly checksTargets: boolean;
  /** Whether the project has a file if it exists (`files` of millrace.yaml). */
  readonly isSelected: (path: string) => boolean;
  /** Gets the problems of a file that is not text: it may have such a call. */
  readonly onFault: (problems: readonly SourceProblem[]) => void;
}

/** Finds what the change broke in files outside the scope. Nothing else is reported about these files. */
export async function brokenCallers(input: BrokenCallersInput): Promise<BrokenCallers> {
  const { snapshot, scope, inProject, onFault } = input;
  const names = namesOf(input);
  const breaches: CheckBreach[] = [];
  const redirected = new Map<string, Redirected>();
  if (scope.complete || names.length === 0) return { breaches, redirected };
  // The snapshot then knows that the review needs what a partial clone has not fetched.
  const without = (await mayBreakCallers(input)) ? [] : scope.notFetched;
  for await (const document of readCallers(snapshot, scope, { names, without })) {
    if (document.fault !== undefined) onFault(document.problems);
    const [file, facts] = [inProject(document.path), pipelineFacts(document)];
    await input.prepareCalls(facts.calls);
    breaches.push(...(await brokenIn(file, facts, input)));
    const components = await redirectedIn(facts, input);
    if (components.size > 0) redirected.set(file, { facts, components });
  }
  return { breaches, redirected };
}

/**
 * Whether the change can break a caller that cannot be read: it removes something, or takes a variable away. False if every
 * caller can be read.
 */
async function mayBreakCallers(input: BrokenCallersInput): Promise<boolean> {
  const { scope, change, callTargets, base, uses, variablesOf, isSelected, checksTargets } = input;
  if ((scope.notFetched ?? []).length === 0) return false;
  const lost = [...change.files].filter((path) => kindOf(path) === undefined && isSelected(path));
  const moved = checksTargets ? [...change.moved.keys()] : [];
  if (callTargets.removed.size > 0 || lost.length > 0 || moved.length > 0 || change.shared) return true;
  for (const path of change.pipelines) {
    if (change.added.has(path)) continue;
    const [before, now] = [await base.variables(path), await variablesOf(path)];
    const formOf = ({ type, columns, columnTypes }: DeclaredVariable) =>
      JSON.stringify([type, columns, columnTypes]);
    const isKept = ([name, variable]: readonly [string, DeclaredVariable]) => {
      const other = now?.get(name);
      const isSame = other !== undefined && formOf(other) === formOf(variable);
      return isSame && (variable.isPrivate || !other.isPrivate);
    };
    if (before === undefined || ![...before].every(isKept)) return true;
  }
  for (const path of change.scripts) {
    const before = await base.scriptVariables(path);
    if ([...(uses.get(path)?.keys() ?? [])].some((name) => !before.has(name))) return true;
  }
  return false;
}

/** The components whose call leads to another pipeline than before the change; a renamed pipeline is the same one. */
async function redirectedIn(
  { calls }: PipelineFacts,
  input: BrokenCallersInput,
): Promise<ReadonlySet<string>> {
  const components = new Set<string>();
  for (const call of calls) {
    const path = calledPath(call, input.callTargets);
    const before = await pathBefore(call, input);
    const isSame = before === path || (before !== undefined && input.change.moved.get(before) === path);
    if (path !== undefined && !isSame) components.add(call.component);
  }
  return components;
}

/** The pipeline that a call led to before the change. The change may have added or removed that file, or changed the shared-pipelines file. */
async function pathBefore(
  call: CallFact,
  { change, callTargets, base }: BrokenCallersInput,
): Promise<string | undefined> {
  const has = (path: string) => hadBefore(path, change, callTargets);
  if (!change.shared || ownReferenceOf(call, callTargets.shared) === undefined)
    return calledPath(call, { has, shared: callTargets.shared, roots: callTargets.roots });
  const shared = await base.shared();
  return shared === undefined ? undefined : calledPath(call, { has, shared, roots: callTargets.roots });
}

/** Whether the project had a pipeline before the change. */
export function hadBefore(
  path: string,
  { moved, added }: Pick<BreakingChange, 'moved' | 'added'>,
  now: { has(path: string): boolean },
): boolean {
  return moved.has(path) || (now.has(path) && !added.has(path));
}

/** The texts that a broken call or script contains. */
function namesOf({
  change,
  callTargets: { removed, shared },
  checksTargets,
}: BrokenCallersInput): readonly string[] {
  const last = (path: string) => path.slice(path.lastIndexOf('/') + 1);
  const others = checksTargets ? [...change.moved.keys(), ...change.added] : [];
  const changed = [...new Set([...removed.keys(), ...change.pipelines, ...others])];
  const sources = new Set(Array.from(shared?.pipelines.values() ?? [], withoutSuffix));
  const isShared = (path: string) => sources.has(withoutSuffix(path));
  const callsShared = change.shared || changed.some(isShared);
  return [
    ...changed.map((path) => last(withoutSuffix(path))),
    ...Array.from([...change.files, ...change.scripts], last),
    ...(callsShared && shared !== undefined ? [`${shared.prefix}#`] : []),
  ];
}

async function brokenIn(
  file: string,
  { calls, scripts, variables }: PipelineFacts,
  input: BrokenCallersInput,
): Promise<readonly CheckBreach[]> {
  const { change, callTargets, files, checksUnknown } = input;
  const removed = calls.filter((call) => callsRemovedPipeline(call, callTargets));
  const lost = scripts.filter(({ path }) => path !== undefined && change.files.has(path));
  const unshared = change.shared && checksUnknown ? await unsharedCalls(calls, input) : [];
  const breaches = [
    ...firstBreaches(unknownCalls(file, [...removed, ...unshared], callTargets)),
    ...firstBreaches(missingFiles(file, lost, files)),
    ...(await undeclaredByChange(file, scripts, variables, input)),
  ];
  for (const call of calls) breaches.push(...(await refusedByChange(file, call, input)));
  return breaches;
}

/** Variables that the change added to scripts, and that the pipelines that run them do not declare. */
async function undeclaredByChange(
  file: string,
  scripts: PipelineFacts['scripts'],
  declared: DeclaredVariables,
  { change, base, uses, isProjectVariable }: BrokenCallersInput,
): Promise<readonly CheckBreach[]> {
  const addedBreaches: CheckBreach[] = [];
  for (const script of scripts) {
    if (declared === undefined || script.path === undefined || !change.scripts.has(script.path)) continue;
    const declarations = { uses, declared, isProjectVariable };
    const breaches = [...firstBreaches(undeclaredInScripts(file, [script], declarations))];
    if (breaches.length === 0) continue;
    const before = await base.scriptVariables(script.path);
    addedBreaches.push(...breaches.filter(({ subject }) => !before.has(subject)));
  }
  return addedBreaches;
}

/** Calls of shared pipelines of the project that it had before the change. */
async function unsharedCalls(
  calls: readonly CallFact[],
  { callTargets, base }: BrokenCallersInput,
): Promise<readonly CallFact[]> {
  const ownCalls = calls.filter((call) => ownReferenceOf(call, callTargets.shared) !== undefined);
  if (ownCalls.length === 0) return ownCalls;
  const before = await base.shared();
  if (before === undefined) return ownCalls;
  return ownCalls.filter((call) => before.pipelines.has(ownReferenceOf(call, before)?.id ?? ''));
}

async function refusedByChange(
  file: string,
  call: CallFact,
  input: BrokenCallersInput,
): Promise<readonly CheckBreach[]> {
  const { change, callTargets, base, variablesOf, isProjectVariable } = input;
  if (call.passed.length === 0) return [];
  const path = calledPath(call, callTargets);
  const pathAtBase = await pathBefore(call, input);
  if (path === undefined || !(change.pipelines.has(path) || pathAtBase !== path)) return [];
  const refused = async (variables: DeclaredVariables) =>
    variables === undefined ? [] : refusedVariables(file, call, { path, variables }, isProjectVariable);
  const now = await refused(await variablesOf(path));
  if (now.length === 0) return now;
  const atBase = pathAtBase === undefined ? [] : await refused(await base.variables(pathAtBase));
  const before = new Set(atBase.map(({ subject }) => subject));
  return now.filter(({ subject }) => !before.has(subject));
}
