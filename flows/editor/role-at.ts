import { callOf } from '../../lib/pipelines/model/calls.ts';
import { usesOwnDollar } from '../../lib/pipelines/checks/undeclared-variable.ts';
import type { Component } from '../../lib/pipelines/model/component.ts';
import { namesSource } from '../../lib/pipelines/model/component-references.ts';
import { namesIteratorVariable } from '../../lib/pipelines/model/iterator.ts';
import type { PipelineKind } from '../../lib/pipelines/model/pipeline-kind.ts';
import type { PipelineDocument } from '../../lib/pipelines/model/read-pipeline.ts';
import type { NodeAt } from '../../lib/yaml/node-at.ts';
import type { YamlPath } from '../../lib/yaml/read-yaml.ts';
import { itemsOf, type Span, textOf, type YamlNode } from '../../lib/yaml/yaml-node.ts';
import { variableName } from '../../lib/pipelines/model/variable-name.ts';

/** The role of the word at a position: a component, a variable or a called pipeline. */
export type Role =
  | {
      readonly is: 'component';
      /** The components that may be named there, if not all of the pipeline. */
      readonly among?: readonly string[];
      /** Names that the same list has already, and the component that the list belongs to. */
      readonly taken: readonly string[];
    }
  | { readonly is: 'variable' }
  | { readonly is: 'call'; readonly kind: PipelineKind | undefined };

/**
 * The role of a position in a pipeline file; undefined for any other text. `before`: the text of the value before
 * the position.
 */
export function roleInPipeline(
  document: PipelineDocument,
  { path, node, isKey }: NodeAt,
  before: string,
): Role | undefined {
  const [pipeline, section, name, ...rest] = path;
  if (pipeline !== 'pipeline') return undefined;
  if (section === 'variables') return rest.length === 0 && isKey ? { is: 'variable' } : undefined;
  const component = section === 'components' ? document.components.get(String(name)) : undefined;
  if (component === undefined) return undefined;
  if (rest.length === 0) return isKey ? { is: 'component', taken: [] } : undefined;
  if (isKey) return undefined;
  const [key, ...inner] = rest;
  if (key === 'parameters') return roleOfParameter(component, inner, node, before);
  const isList = key === 'transitions' ? inner.length >= 1 : key === 'iterationTarget' || key === 'sources';
  return isList && node.kind === 'scalar' ? { is: 'component', taken: takenIn(component, rest) } : undefined;
}

/** The start of `${name}`. */
const variableUse = new RegExp(String.raw`\$\{\s*(${variableName})`, 'gu');

/** The start of a variable's name before the position: the text after the last `${` or `$`. */
export function variableBefore(before: string): string | undefined {
  return new RegExp(String.raw`\$\{\s*((?:${variableName})?)$`, 'u').exec(before)?.[1];
}

function roleOfParameter(
  component: Component,
  path: YamlPath,
  node: YamlNode,
  before: string,
): Role | undefined {
  const [parameter, row, cell] = path;
  if (node.kind !== 'scalar') return undefined;
  if (variableBefore(before) !== undefined && !usesOwnDollar(component.type)) return { is: 'variable' };
  if (path.length === 1 && parameter === 'componentName') return { is: 'component', taken: [] };
  if (namesSource(component.type, path)) return { is: 'component', among: component.sources, taken: [] };
  const call = callOf(component);
  if (path.length === 1 && call !== undefined && call.kind !== 'shared')
    if (parameter === `${call.kind}Job`) return { is: 'call', kind: call.kind };
  const holder = itemsOf(component.parameter(String(parameter)))[Number(row ?? 0)];
  const cells = holder?.kind === 'list' ? holder.items : [];
  return namesIteratorVariable(component.type, String(parameter), cells, Number(cell ?? 0))
    ? { is: 'variable' }
    : undefined;
}

function takenIn(component: Component, path: YamlPath): readonly string[] {
  const [key, kind] = path;
  const named =
    key === 'sources'
      ? component.sources
      : component.transitions.filter(({ on }) => on === kind).map(({ to }) => to);
  return [component.name, ...named];
}

/** The role of a position in a test file. Components and variables belong to the tested pipeline. */
export function roleInTest({ path, node, isKey }: NodeAt): Role | undefined {
  const component: Role = { is: 'component', taken: [] };
  if (path.length === 1 && path[0] === 'pipeline' && !isKey) return { is: 'call', kind: undefined };
  if (path[0] !== 'tests') return undefined;
  const [, , part, ...rest] = path;
  // A key without its colon is a value of the map above it.
  const isName = isKey ? 1 : 0;
  if (part === 'mock' && rest.length === isName && (isKey || node.kind === 'scalar')) return component;
  if (part === 'variables' && rest.length === isName && (isKey || node.kind === 'scalar'))
    return { is: 'variable' };
  if (part !== 'expect') return undefined;
  const [key, ...inner] = rest;
  if ((key === 'ran' || key === 'not-ran') && !isKey && node.kind === 'scalar') return component;
  if (key === 'variables' && inner.length === isName && (isKey || node.kind === 'scalar'))
    return { is: 'variable' };
  const isFailed = key === 'outcome' && inner.join() === 'failure,component' && !isKey;
  return isFailed ? component : undefined;
}

/** The variable `${name}` around an offset in a value: its name and its place. */
export function variableAround(
  text: string,
  value: Span,
  offset: number,
): { readonly name: string; readonly span: Span } | undefined {
  for (const match of text.slice(value.start, value.end).matchAll(variableUse)) {
    const start = value.start + match.index;
    const end = start + match[0].length;
    const [, name = ''] = match;
    if (start <= offset && offset <= end) return { name, span: { start: end - name.length, end } };
  }
  return undefined;
}

/** The text of the scalar at a position. */
export function wordOf({ path, node, isKey }: NodeAt): string | undefined {
  return isKey ? String(path.at(-1)) : textOf(node);
}
