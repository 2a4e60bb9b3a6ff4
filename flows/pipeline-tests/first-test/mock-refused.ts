import type { FailedComponent } from '../../../engine/index.ts';
import { type Call, calledPath, callOf, callsOf, isOwnCall } from '../../../lib/pipelines/model/calls.ts';
import type { Component } from '../../../lib/pipelines/model/component.ts';
import { gridOf, namesIn } from '../../../lib/pipelines/model/grid.ts';
import type { PipelineDocument } from '../../../lib/pipelines/model/read-pipeline.ts';
import { withoutSuffix } from '../../../lib/pipelines/model/pipeline-kind.ts';
import { exampleValue } from './examples/example-columns.ts';
import type { TestParts } from './test-parts.ts';
import type { TestProject } from '../files/test-project.ts';
import { calledPipelines } from './examples/called-pipelines.ts';
import { ownerOf } from './examples/variable-forms.ts';
import { yamlRow, yamlText } from '../files/yaml-text.ts';

/**
 * Mocks a component that the engine refuses to run, an assertion that the example rows do not meet, or a call to a
 * pipeline that the project does not have. Returns false for any other failure.
 */
export function mockRefused(parts: TestParts, failure: FailedComponent, project: TestProject): boolean {
  const { pipeline, component: name } = failure;
  const document = project.pipeline(pipeline);
  const component = document?.components.get(name);
  if (document === undefined || component === undefined) return false;
  if (!isMockable(failure, project)) return false;
  const label = yamlText(pipeline === parts.path ? name : `${pipeline}#${name}`);
  if (parts.mocks.has(label)) return false;
  parts.replaced.push(failure);
  if (document.kind === 'orchestration' || !isRead(name, document)) {
    parts.mocks.set(label, () => `  ${label}: {}`);
    return true;
  }
  const key = ownerOf(pipeline, name);
  parts.listed.set(key, new Set(namedColumns(component)));
  parts.mocks.set(label, () => outputLines(label, [...(parts.listed.get(key) ?? [])], parts, project));
  return true;
}

/** Whether the engine refused a component, an assertion failed, or a call names a pipeline that the project does not have. */
export function isMockable({ pipeline, component, refusal }: FailedComponent, project: TestProject): boolean {
  const definition = project.pipeline(pipeline)?.components.get(component);
  if (definition === undefined) return refusal !== undefined;
  return refusal !== undefined || definition.type.startsWith('assert-') || callsMissing(definition, project);
}

/**
 * Mocks the component that calls, directly or indirectly, a pipeline that fails with the example rows, so that the
 * test shows what the caller does. Returns false for a failure of the tested pipeline itself.
 */
export function mockFailedCall(parts: TestParts, failure: FailedComponent, project: TestProject): boolean {
  if (failure.pipeline === parts.path) return false;
  const document = project.pipeline(parts.path);
  const calls = document === undefined ? [] : callsOf(document);
  const isMocked = ({ component }: Call) => parts.mocks.has(yamlText(component.name));
  const caller = calls.find((call) => !isMocked(call) && reachedBy(call, project).includes(failure.pipeline));
  if (caller === undefined) return false;
  const label = yamlText(caller.component.name);
  parts.replaced.push(failure);
  parts.mocks.set(label, () => `  ${label}: {}`);
  // What runs no more needs no mock.
  const reached = new Set(calls.flatMap((call) => (isMocked(call) ? [] : reachedBy(call, project))));
  const isOver = (name: string) =>
    reachedBy(caller, project).some(
      (path) =>
        !reached.has(path) &&
        [path, withoutSuffix(path)].some((written) => name.replace(/^["']/, '').startsWith(`${written}#`)),
    );
  for (const name of parts.mocks.keys()) if (isOver(name)) parts.mocks.delete(name);
  return true;
}

function reachedBy(call: Call, project: TestProject): readonly string[] {
  const called = calledPath(call, project);
  return called === undefined ? [] : calledPipelines(called, project);
}

function callsMissing(component: Component, project: TestProject): boolean {
  const call = callOf(component);
  if (call === undefined || !isOwnCall(call, project)) return false;
  return calledPath(call, project) === undefined;
}

function isRead(name: string, document: PipelineDocument): boolean {
  return [...document.components.values()].some(({ sources }) => sources.includes(name));
}

/** The columns that the parameters of a component name as its own; the columns of its input come when another reads them. */
function namedColumns(component: Component): readonly string[] {
  const query = component.text('query') ?? '';
  const aliases = [...query.matchAll(/\bAS\s+(?:"([^"]+)"|(\w+))(?=\s*(?:,|$|\bFROM\b))/gi)].map(
    ([, exact, plain = '']) => exact ?? plain.toUpperCase(),
  );
  const read = namesIn(component.parameter('columnNames'));
  const computed = gridOf(component.parameter('calculations')).flatMap(([, name = '']) => name);
  const names = [...aliases, ...read, ...computed].filter((name) => name !== '' && !name.includes('${'));
  // The engine refuses columns whose names differ in case only.
  return [...new Map(names.toReversed().map((name) => [name.toLowerCase(), name])).values()].toReversed();
}

function outputLines(
  label: string,
  names: readonly string[],
  { guess, path }: TestParts,
  project: TestProject,
): string {
  const columns = (names.length === 0 ? ['ID'] : names).map((name) => ({ name, type: guess(name, project) }));
  const types = yamlRow(columns.map(({ name, type }) => [name, yamlText(type)] as const));
  const row = yamlRow(
    columns.map((column) => [column.name, exampleValue(column, 0, project, path)] as const),
  );
  return `  ${label}:\n    output:\n      columns: ${types}\n      rows:\n        - ${row}`;
}
