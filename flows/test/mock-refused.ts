import type { FailedComponent } from '../../engine/index.ts';
import type { Component } from '../../lib/pipelines/component.ts';
import { gridOf } from '../../lib/pipelines/grid.ts';
import type { PipelineDocument } from '../../lib/pipelines/read-pipeline.ts';
import { itemsOf, textOf } from '../../lib/yaml/yaml-node.ts';
import { exampleValue } from './example-columns.ts';
import type { TestParts } from './test-parts.ts';
import type { TestProject } from './test-project.ts';
import { ownerOf } from './variable-forms.ts';
import { yamlRow, yamlText } from './yaml-text.ts';

/**
 * Mocks a component that the engine refuses to run, or an assertion that the example rows do not meet. False for any
 * other failure.
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

/** Whether the engine refused a component, or an assertion failed. */
export function isMockable({ pipeline, component, refusal }: FailedComponent, project: TestProject): boolean {
  const type = project.pipeline(pipeline)?.components.get(component)?.type;
  return refusal !== undefined || type?.startsWith('assert-') === true;
}

function isRead(name: string, document: PipelineDocument): boolean {
  return [...document.components.values()].some(({ sources }) => sources.includes(name));
}

/** The columns that the parameters of a component name as its own; those of its input come when another reads them. */
function namedColumns(component: Component): readonly string[] {
  const query = component.text('query') ?? '';
  const aliases = [...query.matchAll(/\bAS\s+(?:"([^"]+)"|(\w+))(?=\s*(?:,|$|\bFROM\b))/gi)].map(
    ([, exact, plain = '']) => exact ?? plain.toUpperCase(),
  );
  const read = itemsOf(component.parameter('columnNames')).flatMap((item) => textOf(item) ?? []);
  const computed = gridOf(component.parameter('calculations')).flatMap(([, name = '']) => name);
  return [...aliases, ...read, ...computed].filter((name) => name !== '' && !name.includes('${'));
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
