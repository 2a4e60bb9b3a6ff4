import { type CheckId, checkIds } from '../../lib/config/review-schema.ts';
import { isConnectorFile } from '../../lib/git/refuse-files.ts';
import type { Snapshot } from '../../lib/git/snapshot.ts';
import { compileGlob } from '../../lib/core/glob.ts';
import { type Severity, wholeFile } from '../../lib/core/finding.ts';
import type { CheckBreach } from '../../lib/pipelines/checks/breach.ts';
import { type CallFact, callFacts } from '../../lib/pipelines/checks/call-facts.ts';
import { callCycles } from '../../lib/pipelines/checks/call-cycle.ts';
import { danglingReferences } from '../../lib/pipelines/checks/dangling-reference.ts';
import { literalEnvironments } from '../../lib/pipelines/checks/literal-environment.ts';
import { undeclaredVariables } from '../../lib/pipelines/checks/undeclared-variable.ts';
import { callsGone, unknownCalls } from '../../lib/pipelines/checks/unknown-call.ts';
import type { PipelineDocument } from '../../lib/pipelines/read-pipeline.ts';
import { sharedPipelinesPath } from '../../lib/pipelines/shared-pipelines.ts';
import { readCallers } from './read-callers.ts';
import { readPipelines } from './read-pipelines.ts';
import type { RawFinding } from './raw-finding.ts';
import type { ReviewRequest } from './review-request.ts';
import { inRepository, type ReviewScope } from './review-scope.ts';
import { sharedIdBreaches } from './shared-id-breaches.ts';

/** Collects what the checks of our own find while the pipelines are read once for the rules. */
export interface ProjectChecks {
  /** Looks at a pipeline of the scope. */
  look(document: PipelineDocument): void;
  /** Whether a check, without `millrace/`, looked at a file of the scope. */
  covers(check: string, file: string): boolean;
  /** Reads what else is needed (callers, called pipelines, the last release) and tells what was found. */
  finish(): Promise<readonly RawFinding[]>;
}

/** The checks that `millrace.yaml` switches on. A call to what this change takes away is found in any case. */
export function checkProject(request: ReviewRequest, snapshot: Snapshot, scope: ReviewScope): ProjectChecks {
  const { directory, checks = {}, variables = [] } = request;
  const inProject = (path: string) => path.slice(inRepository(directory, '').length);
  const on = (check: CheckId) => (checks[check] ?? 'off') !== 'off';
  const patterns = variables.map((glob) => compileGlob(glob));
  const known = {
    paths: new Set(scope.all.map(inProject)),
    gone: new Map(Array.from(scope.gone, ([old, next]) => [inProject(old), next && inProject(next)])),
  };
  const { paths, gone } = known;
  const checksRemovals = gone.size > 0 && checks['unknown-call'] !== 'off';
  const breaches: CheckBreach[] = [];
  const calls = new Map<string, readonly CallFact[]>();
  const unread = new Set<string>();
  /** Whether the review is of this file too, and not only of what a change does to it. */
  const answersFor = (path: string) => scope.complete || scope.touched?.has(path) === true;

  /** The checks of one file that need no other. */
  const look = (document: PipelineDocument) => {
    if (document.problems.length > 0) {
      unread.add(document.path);
      return;
    }
    const file = inProject(document.path);
    calls.set(file, callFacts(document));
    if (on('dangling-reference')) breaches.push(...danglingReferences(document));
    if (on('literal-environment')) breaches.push(...literalEnvironments(document));
    if (on('undeclared-variable'))
      breaches.push(...undeclaredVariables(document, (name) => patterns.some((fits) => fits(name))));
  };

  const unknown = (file: string, counted: readonly CallFact[]) =>
    unknownCalls(file, counted, known).map((one) => ({ ...one, file: inRepository(directory, one.file) }));
  /** Calls to what the change takes away, from files that are not in the scope: of these nothing else is said. */
  const callers = async () => {
    const found: CheckBreach[] = [];
    if (scope.complete || !checksRemovals) return found;
    for await (const document of readCallers(snapshot, scope, new Set(gone.keys()), inProject)) {
      const broken = callFacts(document).filter((call) => callsGone(call, known));
      found.push(...unknown(inProject(document.path), broken));
    }
    return found;
  };
  const checksSharedIds =
    on('shared-id-changed') && answersFor(inRepository(directory, sharedPipelinesPath(request.configDir)));
  // What git takes time for goes on while the rules look at the files of the scope.
  const elsewhere = Promise.all([callers(), checksSharedIds ? sharedIdBreaches(request, snapshot) : []]);
  elsewhere.catch(() => {});

  const finish = async () => {
    const found = [...breaches];
    const checked = [...calls.keys()];
    for (const file of on('unknown-call') || checksRemovals ? checked : []) {
      const own = calls.get(file) ?? [];
      const counted = on('unknown-call') ? own : own.filter((call) => callsGone(call, known));
      found.push(...unknown(file, counted));
    }
    if (on('call-cycle')) {
      await readCalled(snapshot, directory, calls, paths);
      const cycles = callCycles(checked, calls, paths);
      found.push(...cycles.map((one) => ({ ...one, file: inRepository(directory, one.file) })));
    }
    if (on('connector-file')) found.push(...(await connectorFiles(snapshot, directory, answersFor)));
    found.push(...(await elsewhere).flat());
    return found.map((breach) => toRawFinding(breach, severityOf(breach.check, checks)));
  };
  const isCheck = (check: string): check is CheckId => checkIds.some((id) => id === check);
  // What is no check (a suppression that is out of date) is always looked at.
  const covers = (check: string, file: string) => !isCheck(check) || (on(check) && !unread.has(file));
  return { look, covers, finish };
}

function severityOf(check: string, checks: NonNullable<ReviewRequest['checks']>): Severity {
  const severity = checks[check as CheckId];
  return severity === undefined || severity === 'off' ? 'error' : severity;
}

function toRawFinding({ check, range, ...breach }: CheckBreach, severity: Severity): RawFinding {
  return { rule: `millrace/${check}`, severity, ...breach, ...range, source: 'millrace' };
}

/** Follows the calls until no pipeline is new: a circle may lead through files that nobody touched. */
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

async function connectorFiles(
  snapshot: Snapshot,
  directory: string,
  answersFor: (path: string) => boolean,
): Promise<readonly CheckBreach[]> {
  return (await snapshot.list(directory))
    .filter(({ path }) => isConnectorFile(path) && answersFor(path))
    .map(({ path }) => ({
      check: 'connector-file',
      file: path,
      subject: '',
      message:
        'This is a connector file; the platform brings connectors itself, so it must not be in the repository.',
      range: wholeFile,
    }));
}
