import { compareTexts } from '../../lib/core/text/compare-texts.ts';
import type { Component } from '../../lib/pipelines/model/component.ts';
import { kindOf } from '../../lib/pipelines/model/pipeline-kind.ts';
import type { PipelineDocument } from '../../lib/pipelines/model/read-pipeline.ts';
import { spellingOf } from '../../lib/yaml/yaml-node.ts';
import type { TestProject } from '../pipeline-tests/files/test-project.ts';
import { usesVariable } from '../../lib/pipelines/model/uses-variable.ts';
import { type BaseProject, isUsedFile } from './base-project.ts';
import type { UntestedChange } from './data-diff.ts';
import { keyOfComponent } from './run-both.ts';

/** What the runs of all tests reached on one side. */
export interface Reached {
  /** Paths of the pipelines that a run called. */
  readonly called: Set<string>;
  /** Components that ran without a mock, as `keyOfComponent`. */
  readonly ran: Set<string>;
  readonly mocked: Set<string>;
}

/** What the tests reached on both sides. */
export interface BothReached {
  readonly now: Reached;
  readonly before: Reached;
  /** Files that a test read. */
  readonly read: ReadonlySet<string>;
}

/**
 * Finds what changed but no test runs: pipelines, components of pipelines that tests do run, and files that
 * pipelines use. In the order of the files.
 */
export function untestedChanges(
  base: BaseProject,
  project: TestProject,
  reached: BothReached,
): readonly UntestedChange[] {
  const submodules = base.submodules.map((file) => ({ file, change: 'changed', isSubmodule: true }) as const);
  const files = [...base.changed]
    .toSorted(([a], [b]) => compareTexts(a, b))
    .flatMap(([file, change]): readonly UntestedChange[] => {
      if (project.unread.has(file)) return [{ file, change }];
      if (change !== 'deleted' && !project.has(file)) return [];
      if (kindOf(file) === undefined) {
        return isUsedFile(file) && !reached.read.has(file) ? [{ file, change }] : [];
      }
      if (change === 'deleted') return reached.before.called.has(file) ? [] : [{ file, change }];
      return reached.now.called.has(file)
        ? untestedComponents(file, base, project, reached)
        : [{ file, change }];
    });
  return [...files, ...submodules];
}

function untestedComponents(
  file: string,
  { project: atBase, renamed }: BaseProject,
  project: TestProject,
  { now, before }: BothReached,
): readonly UntestedChange[] {
  const oldFile = renamed.get(file) ?? file;
  const [current, old] = [project.pipeline(file), atBase.pipeline(oldFile)];
  const variables = changedVariables(current, old);
  const components = current?.components ?? new Map<string, Component>();
  const existing = [...components].flatMap(([component, definition]): readonly UntestedChange[] => {
    const key = keyOfComponent(file, component);
    const previous = old?.components.get(component);
    const content = contentOf(definition);
    const isSame = previous !== undefined && contentOf(previous) === content;
    if (now.ran.has(key) || (isSame && !variables.some((name) => usesVariable(content, name)))) return [];
    const change = previous === undefined ? 'added' : 'changed';
    return [{ file, change, component, line: definition.range.line, isMocked: now.mocked.has(key) }];
  });
  const gone = [...(old?.components.keys() ?? [])].flatMap((component): readonly UntestedChange[] => {
    const ran = before.ran.has(keyOfComponent(oldFile, component));
    return components.has(component) || ran ? [] : [{ file, change: 'deleted', component }];
  });
  return [...existing, ...gone];
}

/** Variables whose declaration differs. */
function changedVariables(
  current: PipelineDocument | undefined,
  old: PipelineDocument | undefined,
): readonly string[] {
  return [...(current?.variables ?? [])].flatMap(([name, { type, scope, columns, defaultValue }]) => {
    const before = old?.variables.get(name);
    const now = JSON.stringify([type, scope, columns, defaultValue]);
    const isSame =
      before !== undefined &&
      now === JSON.stringify([before.type, before.scope, before.columns, before.defaultValue]);
    return isSame ? [] : [name];
  });
}

/** What decides what a component does. */
function contentOf({ type, sources, skipped, iterationTarget, node }: Component): string {
  return JSON.stringify([
    type,
    sources,
    skipped,
    iterationTarget,
    spellingOf(node('parameters')),
    spellingOf(node('postProcessing')),
  ]);
}
