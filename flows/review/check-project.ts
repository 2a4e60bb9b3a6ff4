import { type CheckId, checkIds } from '../../lib/config/review-schema.ts';
import { isConnectorFile } from '../../lib/git/refuse-files.ts';
import type { Snapshot } from '../../lib/git/snapshot.ts';
import { compileGlob } from '../../lib/core/glob.ts';
import type { Severity } from '../../lib/core/finding.ts';
import { type CheckBreach, firstBreaches } from '../../lib/pipelines/checks/breach.ts';
import { type CallFact, callFacts } from '../../lib/pipelines/checks/call-facts.ts';
import { callCycles } from '../../lib/pipelines/checks/call-cycle.ts';
import { connectorFiles } from '../../lib/pipelines/checks/connector-file.ts';
import { danglingReferences } from '../../lib/pipelines/checks/dangling-reference.ts';
import { literalEnvironments } from '../../lib/pipelines/checks/literal-environment.ts';
import { undeclaredVariables } from '../../lib/pipelines/checks/undeclared-variable.ts';
import { callsRemovedPipeline, unknownCalls } from '../../lib/pipelines/checks/unknown-call.ts';
import type { PipelineDocument } from '../../lib/pipelines/read-pipeline.ts';
import { sharedPipelinesPath } from '../../lib/pipelines/shared-pipelines.ts';
import { pathRules } from './path-rules.ts';
import { readCallers } from './read-callers.ts';
import { readPipelines } from './read-pipelines.ts';
import { type RawFinding, unreadFinding } from './raw-finding.ts';
import type { ReviewRequest } from './review-request.ts';
import { inRepository, type ReviewScope } from './review-scope.ts';
import { sharedIdBreaches } from './shared-id-breaches.ts';

/** Collects what Millrace's own checks find, while the pipelines are read once for the rules. */
export interface ProjectChecks {
  /** Checks one pipeline of the scope. */
  add(document: PipelineDocument): void;
  /** Whether a check (its id without `millrace/`) covered a file of the scope. */
  covers(check: string, file: string): boolean;
  /** Whether a file of the scope could be read as a pipeline. */
  reads(file: string): boolean;
  /**
   * The findings on files that cannot be read, and that no rule reports because none applies to their kind. Files that are
   * not text are always reported: the platform may read them in another way, or every rule may only warn.
   */
  unreported(results: ReadonlyMap<string, readonly unknown[]>): readonly RawFinding[];
  /** Reads what else is needed (callers, called pipelines, the last release) and gives all findings. */
  finish(): Promise<readonly RawFinding[]>;
}

/**
 * The checks that `millrace.yaml` enables. A call to a pipeline that the change removes is always found, unless
 * `unknown-call` is off.
 */
export function checkProject(request: ReviewRequest, snapshot: Snapshot, scope: ReviewScope): ProjectChecks {
  const { directory, checks = {}, variables = [] } = request;
  const inProject = (path: string) => path.slice(inRepository(directory, '').length);
  const { severityIn, mayEnable } = pathRules(request);
  /** Whether a check is on in any file. */
  const isEnabled = (check: CheckId) => (checks[check] ?? 'off') !== 'off' || mayEnable(check);
  const settingOf = (check: CheckId, file: string) => severityIn(check, file) ?? checks[check];
  /** Whether a check is on in a file, relative to the repository. */
  const isEnabledIn = (check: CheckId, file: string) => (settingOf(check, file) ?? 'off') !== 'off';
  const patterns = variables.map((glob) => compileGlob(glob));
  const known = {
    paths: new Set(scope.all.map(inProject)),
    removed: new Map(Array.from(scope.removed, ([old, next]) => [inProject(old), next && inProject(next)])),
  };
  const { paths, removed } = known;
  const checksRemovals = removed.size > 0 && checks['unknown-call'] !== 'off';
  const breaches: CheckBreach[] = [];
  const calls = new Map<string, readonly CallFact[]>();
  const unread = new Map<string, RawFinding>();
  const notText: RawFinding[] = [];
  /** Whether the review covers this file itself, and not only the effect of the change on it. */
  const inScope = (path: string) => scope.complete || scope.touched?.has(path) === true;

  /** Runs the checks that need no other file. */
  const add = (document: PipelineDocument) => {
    const [problem] = document.problems;
    if (problem !== undefined) {
      const finding = unreadFinding(problem);
      unread.set(document.path, finding);
      if (document.fault !== undefined) notText.push(finding);
      return;
    }
    const file = inProject(document.path);
    calls.set(file, callFacts(document));
    const isProjectVariable = (name: string) => patterns.some((matches) => matches(name));
    if (isEnabledIn('dangling-reference', document.path))
      breaches.push(...firstBreaches(danglingReferences(document)));
    if (isEnabledIn('literal-environment', document.path))
      breaches.push(...firstBreaches(literalEnvironments(document)));
    if (isEnabledIn('undeclared-variable', document.path))
      breaches.push(...firstBreaches(undeclaredVariables(document, isProjectVariable)));
  };

  const unknown = (file: string, counted: readonly CallFact[]) =>
    Array.from(firstBreaches(unknownCalls(file, counted, known)), (breach) => ({
      ...breach,
      file: inRepository(directory, breach.file),
    }));
  /**
   * Calls from files outside the scope to pipelines that the change removes, and files there that are not text, which may
   * have such a call. Nothing else is reported about these files.
   */
  const callers = async () => {
    const found: CheckBreach[] = [];
    if (scope.complete || !checksRemovals) return found;
    for await (const document of readCallers(snapshot, scope, new Set(removed.keys()), inProject)) {
      if (document.fault !== undefined) notText.push(...document.problems.map(unreadFinding));
      const broken = callFacts(document).filter((call) => callsRemovedPipeline(call, known));
      found.push(...unknown(inProject(document.path), broken));
    }
    return found;
  };
  const checksSharedIds =
    isEnabled('shared-id-changed') &&
    inScope(inRepository(directory, sharedPipelinesPath(request.configDir)));
  // These reads from git run while the rules are evaluated.
  const elsewhere = Promise.all([callers(), checksSharedIds ? sharedIdBreaches(request, snapshot) : []]);
  elsewhere.catch(() => {});

  const finish = async () => {
    const found = [...breaches];
    const checked = [...calls.keys()];
    for (const file of isEnabled('unknown-call') || checksRemovals ? checked : []) {
      const own = calls.get(file) ?? [];
      const counted = isEnabledIn('unknown-call', inRepository(directory, file))
        ? own
        : own.filter((call) => callsRemovedPipeline(call, known));
      found.push(...unknown(file, counted));
    }
    if (isEnabled('call-cycle')) {
      await readCalled(snapshot, directory, calls, paths);
      for (const breach of callCycles(checked, calls, paths))
        found.push({ ...breach, file: inRepository(directory, breach.file) });
    }
    if (isEnabled('connector-file')) {
      const files = (await snapshot.list(directory)).map(({ path }) => path);
      found.push(...connectorFiles(files.filter((path) => isConnectorFile(path) && inScope(path))));
    }
    found.push(...(await elsewhere).flat());
    return found.flatMap((breach) => {
      // Without an entry, calls to pipelines that the change removes are errors.
      const isRemoval = breach.check === 'unknown-call' && checks['unknown-call'] === undefined;
      const setting = settingOf(breach.check as CheckId, breach.file) ?? (isRemoval ? 'error' : 'off');
      return setting === 'off' ? [] : [toRawFinding(breach, setting)];
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
  return { add, covers, reads, unreported, finish };
}

function toRawFinding({ check, range, ...breach }: CheckBreach, severity: Severity): RawFinding {
  return { rule: `millrace/${check}`, severity, ...breach, ...range, source: 'millrace' };
}

/**
 * Follows the calls until all called pipelines are read: a cycle may lead through files that the change did not
 * touch.
 */
async function readCalled(
  snapshot: Snapshot,
  directory: string,
  calls: Map<string, readonly CallFact[]>,
  paths: ReadonlySet<string>,
): Promise<void> {
  const { resolveCall } = await import('../../lib/pipelines/calls.ts');
  const targets = (files: Iterable<string>) =>
    new Set(
      Array.from(files, (file) => calls.get(file) ?? [])
        .flat()
        .flatMap(({ target, kind }) => resolveCall(target, paths, kind) ?? [])
        .filter((path) => !calls.has(path)),
    );
  for (let wanted = targets(calls.keys()); wanted.size > 0; wanted = targets(wanted)) {
    const files = Array.from(wanted, (file) => inRepository(directory, file));
    for await (const document of readPipelines(snapshot, files)) {
      calls.set(document.path.slice(inRepository(directory, '').length), callFacts(document));
    }
  }
}
