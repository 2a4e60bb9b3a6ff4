import { type CheckId, checkIds } from '../../../lib/config/project/review-schema.ts';
import { isConnectorFile } from '../../../lib/git/refuse-files.ts';
import { selectFiles } from '../../../lib/git/select-files.ts';
import type { Snapshot } from '../../../lib/git/snapshot.ts';
import { isFolder, isLink } from '../../../lib/git/objects/tree-entry.ts';
import { wordIndex } from '../../../lib/core/text/word-index.ts';
import { compileGlob } from '../../../lib/core/files/glob.ts';
import type { CallFolder, FoundRoot } from '../../../lib/pipelines/model/call-root.ts';
import { type CheckBreach, limited } from '../../../lib/pipelines/checks/breach.ts';
import { cyclesIn } from '../../../lib/pipelines/checks/call-cycle.ts';
import { connectorFiles } from '../../../lib/pipelines/checks/connector-file.ts';
import { foundRootBreach } from '../../../lib/pipelines/checks/found-root.ts';
import { missingFiles, nearestFiles, type ProjectFiles } from '../../../lib/pipelines/checks/missing-file.ts';
import { nearestPipelines } from '../../../lib/pipelines/checks/nearest-pipeline.ts';
import { undeclaredInScripts } from '../../../lib/pipelines/checks/undeclared-variable.ts';
import { callsRemovedPipeline, unknownCalls } from '../../../lib/pipelines/checks/unknown-call.ts';
import { kindOf } from '../../../lib/pipelines/model/pipeline-kind.ts';
import { maxPipelineBytes, type PipelineDocument } from '../../../lib/pipelines/model/read-pipeline.ts';
import { inRepository } from '../../../lib/git/in-repository.ts';
import { baseOfChange } from '../scope/base-of-change.ts';
import { type BrokenCallers, brokenCallers } from './broken-callers.ts';
import { breachesInTurns, fileChecks } from './file-checks.ts';
import {
  configFileOf,
  readOwnShared,
  sharedFileOf,
  type SharedOfProject,
  sharedPrefixIn,
} from '../scope/own-shared.ts';
import { pathRules } from './path-rules.ts';
import { readRoots } from '../scope/call-roots.ts';
import {
  addFacts,
  type FactsByFile,
  pipelineFacts,
  readCalled,
  refusedCalls,
} from '../scope/project-facts.ts';
import { breachFinding, type RawFinding, unreadFinding } from './raw-finding.ts';
import type { ReviewRequest } from '../scope/review-request.ts';
import type { ReviewScope } from '../scope/review-scope.ts';
import { brokenEntries, entryBreaches } from './shared-entries.ts';
import { isScript, type ReadScripts, readScripts, withVariables } from '../scope/read-scripts.ts';
import { sharedIdBreaches } from './shared-id-breaches.ts';

const noShared: SharedOfProject = {};

/** Collects the findings of Millrace's own checks while the pipelines are read for the rules. */
export interface ProjectChecks {
  /** Checks one pipeline of the scope. Throws the reason of the signal. */
  add(document: PipelineDocument): Promise<void>;
  /** Whether a check (its id without `millrace/`) covered a file of the scope. */
  covers(check: string, file: string): boolean;
  /** Whether a file of the scope could be read as a pipeline. */
  reads(file: string): boolean;
  /**
   * The findings on files that cannot be read, and that no rule reports because none applies to their kind. Files that are
   * not text are always reported: the platform may read them in another way, or every rule may only warn.
   */
  unreported(results: ReadonlyMap<string, readonly unknown[]>): readonly RawFinding[];
  /** After `finish`: the folder from which calls are resolved, if it is not the project's own. */
  readonly callRoot: () => CallFolder | FoundRoot | undefined;
  /** Reads what else is needed (callers, called pipelines, the last release) and gives all findings. */
  finish(): Promise<readonly RawFinding[]>;
}

/**
 * Runs the checks that `millrace.yaml` enables. A call to a pipeline that the change removes is always reported,
 * unless `unknown-call` is off.
 */
export function checkProject(
  request: ReviewRequest,
  snapshot: Snapshot,
  scope: ReviewScope,
  signal?: AbortSignal,
): ProjectChecks {
  const { directory, checks = {}, variables = [] } = request;
  const inProject = (path: string) => path.slice(inRepository(directory, '').length);
  const { severityIn, mayEnable } = pathRules(request);
  /** Whether a check is on in any file. */
  const isEnabled = (check: CheckId) => (checks[check] ?? 'off') !== 'off' || mayEnable(check);
  const settingOf = (check: CheckId, file: string) => severityIn(check, file) ?? checks[check];
  /** Whether a check is on in a file, relative to the repository. */
  const isEnabledIn = (check: CheckId, file: string) => (settingOf(check, file) ?? 'off') !== 'off';
  const patterns = variables.map((glob) => compileGlob(glob));
  const isProjectVariable = (name: string) => patterns.some((matches) => matches(name));
  const paths: ReadonlySet<string> = new Set(scope.all.map(inProject));
  const removed = new Map(
    Array.from(scope.removed, ([old, next]) => [inProject(old), next && inProject(next)] as const),
  );
  const added = new Set(Array.from(scope.added, inProject));
  const checksRemovals = removed.size > 0 && checks['unknown-call'] !== 'off';
  const breaches: CheckBreach[] = [];
  const facts: FactsByFile = new Map();
  const unread = new Map<string, RawFinding>();
  const notText: RawFinding[] = [];
  const readsScripts = isEnabled('missing-file') || isEnabled('undeclared-variable');
  const scriptsRead: ReadScripts = { faults: new Map(), empty: new Set(), uses: new Map() };
  /** Whether the review covers this file itself, and not only the effect of the change on it. */
  const inScope = (path: string) => scope.complete || scope.touched?.has(path) === true;
  const sharedFile = sharedFileOf(request);

  /** Runs the checks that need no other file. */
  const add = async (document: PipelineDocument) => {
    const [problem] = document.problems;
    if (problem !== undefined) {
      const finding = unreadFinding(problem);
      unread.set(document.path, finding);
      if (document.fault !== undefined) notText.push(finding);
      return;
    }
    facts.set(inProject(document.path), pipelineFacts(document));
    const steps = fileChecks(document, (check) => isEnabledIn(check, document.path), isProjectVariable);
    breaches.push(...(await breachesInTurns(steps, signal)));
  };

  const touched = new Set(
    [...(scope.touched ?? [])].filter((path) => path.startsWith(inRepository(directory, ''))).map(inProject),
  );

  const base = baseOfChange(request, scope);
  /** The prefix for shared pipelines in the reviewed settings file, if the change renames or removes it. */
  const prefixRename = async () => {
    const file = configFileOf(request);
    const from = scope.touched?.has(file) === true ? await base.sharedPrefix() : undefined;
    const content =
      from === undefined ? undefined : (await snapshot.readFiles([file], maxPipelineBytes)).get(file);
    const to = content === undefined ? from : sharedPrefixIn(content, file);
    return from === undefined || to === from ? undefined : { from, to };
  };
  /** What the checks need of the project besides its pipelines; what no check needs is empty. */
  const openKnowledge = async () => {
    const needsShared = request.sharedPrefix !== undefined || isEnabled('shared-pipelines-file');
    const [tree, shared, renamedPrefix] = await Promise.all([
      readsScripts ? snapshot.list(directory) : [],
      needsShared ? readOwnShared(request, snapshot) : noShared,
      isEnabled('unknown-call') ? prefixRename() : undefined,
    ]);
    const existing = new Set(tree.filter((entry) => !isFolder(entry)).map(({ path }) => inProject(path)));
    const published = new Set(selectFiles(tree, request, directory).map(({ name }) => name));
    const links = new Set(tree.filter(isLink).map(({ path }) => inProject(path)));
    // A script may have any name, but one that is not published runs nowhere.
    const isOther = (path: string) => published.has(path) && kindOf(path) === undefined;
    const scripts = [...touched].filter((path) => existing.has(path) && (isScript(path) || isOther(path)));
    await readScripts(scriptsRead, scripts, { snapshot, directory });
    const isThere = (path: string) => existing.has(path);
    const files = { ...scriptsRead, published, links, nearest: nearestFiles(published), has: isThere };
    const has = (path: string) => paths.has(path);
    const nearest = nearestPipelines(paths);
    const sharedIds = wordIndex(shared.own?.pipelines.keys() ?? []);
    const callTargets = { paths, removed, shared: shared.own, renamedPrefix, has, nearest, sharedIds, roots };
    return { shared, files, callTargets };
  };
  const { roots, prepare } = readRoots({ snapshot, directory, files: scope.all, set: request.callFolder });
  const knowledge = openKnowledge();
  const outside: FactsByFile = new Map();
  const variablesOf = async (path: string) => {
    if (!facts.has(path) && !outside.has(path)) await addFacts(outside, [path], { snapshot, directory });
    return (facts.get(path) ?? outside.get(path))?.variables;
  };
  /** Touched files that cannot be a script any more. */
  const lostFiles = ({ has, links, faults, empty }: ProjectFiles) =>
    [...touched].filter((path) => !has(path) || [links, faults, empty].some((set) => set.has(path)));
  const callers = async () => {
    const { callTargets, files, shared } = await knowledge;
    return brokenCallers({
      snapshot,
      scope,
      prepareCalls: prepare,
      callTargets: checksRemovals ? callTargets : { ...callTargets, removed: new Map() },
      files,
      base,
      uses: scriptsRead.uses,
      variablesOf,
      isProjectVariable,
      inProject,
      isSelected: (path) =>
        selectFiles([{ path: inRepository(directory, path) }], request, directory).length > 0,
      onFault: (problems) => {
        if (checksRemovals) notText.push(...problems.map(unreadFinding));
      },
      change: {
        pipelines: new Set(
          isEnabled('passed-variable') ? [...touched].filter((path) => paths.has(path)) : [],
        ),
        files: new Set(isEnabled('missing-file') ? lostFiles(files) : []),
        scripts: new Set(isEnabled('undeclared-variable') ? withVariables(scriptsRead) : []),
        shared:
          shared.own !== undefined &&
          (['unknown-call', 'passed-variable', 'call-cycle'] as const).some(isEnabled) &&
          touched.has(inProject(sharedFile)),
        moved: removed,
        added,
      },
      checksTargets: (['passed-variable', 'call-cycle'] as const).some(isEnabled),
      checksUnknown: isEnabled('unknown-call'),
    });
  };
  const checksSharedIds = isEnabled('shared-id-changed') && inScope(sharedFile);
  // These reads from git run while the rules are evaluated.
  const elsewhere = Promise.all([callers(), checksSharedIds ? sharedIdBreaches(request, snapshot) : []]);
  elsewhere.catch(() => {});

  const checkCalls = async (checked: readonly string[], redirected: BrokenCallers['redirected']) => {
    const { callTargets, files } = await knowledge;
    const callBreaches: CheckBreach[] = [];
    const collect = async (steps: Iterable<CheckBreach | undefined>) => {
      for (const breach of await breachesInTurns(limited(steps), signal)) callBreaches.push(breach);
    };
    const scriptsOf = (file: string) => (readsScripts ? (facts.get(file)?.scripts ?? []) : []);
    const named = new Set(checked.flatMap(scriptsOf).flatMap(({ path }) => path ?? []));
    await readScripts(scriptsRead, [...named].filter(files.has), { snapshot, directory });
    for (const file of checked) {
      const { calls = [], scripts = [], variables: declared } = facts.get(file) ?? {};
      const path = inRepository(directory, file);
      const counted = isEnabledIn('unknown-call', path)
        ? calls
        : calls.filter((call) => checksRemovals && callsRemovedPipeline(call, callTargets));
      await collect(unknownCalls(file, counted, callTargets));
      const root = roots.found();
      if (isEnabledIn('unknown-call', path))
        callBreaches.push(...foundRootBreach(file, calls, { paths, root }));
      if (isEnabledIn('missing-file', path)) await collect(missingFiles(file, scripts, files));
      if (isEnabledIn('undeclared-variable', path) && declared !== undefined)
        await collect(undeclaredInScripts(file, scripts, { ...scriptsRead, declared, isProjectVariable }));
      if (isEnabledIn('passed-variable', path))
        await collect(refusedCalls(file, calls, { facts, callTargets, isProjectVariable }));
    }
    if (isEnabled('call-cycle')) {
      const callsOf = new Map(Array.from(facts, ([file, { calls }]) => [file, calls]));
      const cycles = cyclesIn(callsOf, callTargets);
      for (const breach of await breachesInTurns(cycles(checked), signal)) callBreaches.push(breach);
      const ofCallers = await breachesInTurns(cycles(redirected.keys()), signal);
      callBreaches.push(
        ...ofCallers.filter(
          ({ file, component }) => redirected.get(file)?.components.has(component ?? '') === true,
        ),
      );
    }
    return callBreaches;
  };

  /** The shared-pipelines file as a whole, or what the change broke in it. */
  const checkShared = async (): Promise<readonly CheckBreach[]> => {
    const { file } = (await knowledge).shared;
    if (file === undefined || !isEnabledIn('shared-pipelines-file', sharedFile)) return [];
    return inScope(sharedFile)
      ? entryBreaches(file, paths, variablesOf)
      : brokenEntries(file, { paths, removed, added, touched, variablesOf, base });
  };

  const finish = async () => {
    const checked = [...facts.keys()];
    const { callTargets } = await knowledge;
    const [{ breaches: broken, redirected }, ids] = await elsewhere;
    if (isEnabled('call-cycle')) for (const [file, target] of redirected) facts.set(file, target.facts);
    await prepare(Array.from(facts.values(), ({ calls }) => calls).flat());
    if (isEnabled('call-cycle') || isEnabled('passed-variable'))
      await readCalled(facts, callTargets, {
        snapshot,
        directory,
        follow: isEnabled('call-cycle'),
        prepare,
      });
    const allBreaches = [
      ...breaches,
      ...[...(await checkCalls(checked, redirected)), ...broken].map((breach) => ({
        ...breach,
        file: inRepository(directory, breach.file),
      })),
      ...ids,
      ...(await checkShared()),
    ];
    if (isEnabled('connector-file')) {
      const files = (await snapshot.list(directory)).map(({ path }) => path);
      allBreaches.push(...connectorFiles(files.filter((path) => isConnectorFile(path) && inScope(path))));
    }
    return allBreaches.flatMap((breach) => {
      // Without an entry, calls to pipelines that the change removes are errors.
      const isRemoval = breach.check === 'unknown-call' && checks['unknown-call'] === undefined;
      const setting = settingOf(breach.check as CheckId, breach.file) ?? (isRemoval ? 'error' : 'off');
      return setting === 'off' ? [] : [breachFinding(breach, setting)];
    });
  };
  const isCheck = (check: string): check is CheckId => checkIds.some((id) => id === check);
  // An id that is not a check (an expired suppression) always covers every file.
  const covers = (check: string, file: string) =>
    !isCheck(check) || (isEnabledIn(check, file) && !unread.has(file));
  const reads = (file: string) => !unread.has(file);
  const unreported: ProjectChecks['unreported'] = (results) => [
    ...[...unread].flatMap(([file, finding]) => (results.get(file)?.length === 0 ? [finding] : [])),
    ...notText,
  ];
  return { add, covers, reads, unreported, callRoot: roots.taken, finish };
}
