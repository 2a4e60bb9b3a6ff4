import type { Component } from '../../lib/pipelines/component.ts';
import { kindOf } from '../../lib/pipelines/pipeline-kind.ts';
import { valueOf } from '../../lib/yaml/yaml-node.ts';
import type { TestProject } from '../test/test-project.ts';
import type { BaseProject } from './base-project.ts';
import type { UntestedChange } from './data-diff.ts';
import { keyOfComponent } from './run-both.ts';

/** What the runs of all tests did, on both sides. */
export interface Reached {
  /** Paths of the pipelines that a run called. */
  readonly called: ReadonlySet<string>;
  /** Components that ran without a mock, as `keyOfComponent`. */
  readonly ran: ReadonlySet<string>;
  readonly mocked: ReadonlySet<string>;
  /** Files that a test read. */
  readonly read: ReadonlySet<string>;
}

/** Files that pipelines use, besides other pipelines. */
const usedFile = /\.(?:sql|py)$/i;

/**
 * What changed and no test runs: pipelines, components of pipelines that tests do run, and files that pipelines use. In the
 * order of the files.
 */
export function untestedChanges(
  base: BaseProject,
  project: TestProject,
  reached: Reached,
): readonly UntestedChange[] {
  const submodules = base.submodules.map((file) => ({ file, change: 'changed', isSubmodule: true }) as const);
  const files = [...base.changed]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([file, change]): readonly UntestedChange[] => {
      if (change !== 'deleted' && !project.has(file)) return [];
      if (kindOf(file) === undefined) {
        return usedFile.test(file) && !reached.read.has(file) ? [{ file, change }] : [];
      }
      const isCalled = reached.called.has(file) || reached.called.has(base.renamed.get(file) ?? file);
      return isCalled ? untestedComponents(file, base, project, reached) : [{ file, change }];
    });
  return [...files, ...submodules];
}

function untestedComponents(
  file: string,
  { project: before, renamed }: BaseProject,
  project: TestProject,
  { ran, mocked }: Reached,
): readonly UntestedChange[] {
  const components = project.pipeline(file)?.components ?? new Map<string, Component>();
  const old = before.pipeline(renamed.get(file) ?? file)?.components;
  return [...components].flatMap(([component, current]): readonly UntestedChange[] => {
    const key = keyOfComponent(file, component);
    const previous = old?.get(component);
    if (ran.has(key) || (previous !== undefined && contentOf(previous) === contentOf(current))) return [];
    const change = previous === undefined ? 'added' : 'changed';
    return [{ file, change, component, line: current.range.line, isMocked: mocked.has(key) }];
  });
}

/** What decides what a component does. */
function contentOf({ type, sources, skipped, iterationTarget, node }: Component): string {
  return JSON.stringify([
    type,
    sources,
    skipped,
    iterationTarget,
    valueOf(node('parameters')),
    valueOf(node('postProcessing')),
  ]);
}
