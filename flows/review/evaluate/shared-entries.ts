import type { CheckBreach } from '../../../lib/pipelines/checks/breach.ts';
import type { DeclaredVariables } from '../../../lib/pipelines/checks/passed-variable.ts';
import { sharedPipelineBreaches, sourceOf } from '../../../lib/pipelines/checks/shared-pipelines-file.ts';
import type { SharedPipelinesFile } from '../../../lib/pipelines/model/shared-pipelines.ts';
import type { BaseOfChange } from '../scope/base-of-change.ts';
import { hadBefore } from './broken-callers.ts';

type ReadVariables = (path: string) => Promise<DeclaredVariables>;

/** The errors in the shared-pipelines file. `isChecked`: the pipelines whose variables are compared. */
export async function entryBreaches(
  file: SharedPipelinesFile,
  paths: ReadonlySet<string>,
  read: ReadVariables,
  isChecked: (path: string) => boolean = () => true,
): Promise<readonly CheckBreach[]> {
  const sources = file.pipelines.flatMap((entry) => sourceOf(entry, paths) ?? []);
  const variables = new Map<string, DeclaredVariables>();
  for (const path of sources.filter(isChecked)) variables.set(path, await read(path));
  return sharedPipelineBreaches(file, { paths, variablesOf: (path) => variables.get(path) });
}

/**
 * The errors that a change causes in entries of the shared-pipelines file without changing it: in the pipelines
 * that it changed, or because an entry now means another pipeline.
 */
export async function brokenEntries(
  file: SharedPipelinesFile,
  change: {
    readonly paths: ReadonlySet<string>;
    readonly removed: ReadonlyMap<string, string | undefined>;
    readonly added: ReadonlySet<string>;
    readonly touched: ReadonlySet<string>;
    readonly variablesOf: ReadVariables;
    readonly base: BaseOfChange;
  },
): Promise<readonly CheckBreach[]> {
  const { paths, removed: moved, added, touched, variablesOf, base } = change;
  const had = (path: string) => hadBefore(path, { moved, added }, paths);
  const before = new Set([...paths, ...moved.keys()].filter(had));
  const checked = new Set(touched);
  for (const entry of file.pipelines) {
    const [source, old] = [sourceOf(entry, paths), sourceOf(entry, before)];
    if (source !== old) for (const path of [source, old]) if (path !== undefined) checked.add(path);
  }
  const isChecked = (path: string) => checked.has(path);
  const now = await entryBreaches(file, paths, variablesOf, isChecked);
  if (now.length === 0) return now;
  const old = await entryBreaches(file, before, (path) => base.variables(path), isChecked);
  const oldSubjects = new Set(old.map(({ subject }) => subject));
  return now.filter(({ subject }) => !oldSubjects.has(subject));
}
