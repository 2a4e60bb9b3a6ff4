import type { Span, YamlNode } from '../../yaml/yaml-node.ts';
import type { Component } from '../component.ts';
import { iterationOf } from '../iterator.ts';
import type { PipelineDocument } from '../read-pipeline.ts';
import type { CheckBreach } from './breach.ts';

/** Whether the parameters of a component of this type have scripts in a language that uses `${…}` itself. */
export function usesOwnDollar(type: string): boolean {
  return /^(?:bash|python|shell)/.test(type);
}

/** `${name}`; expressions with a dot or a call belong to the platform. */
const use = /\$\{\s*([A-Za-z_]\w*)\s*\}/g;

/** Variables in parameters or iterators that neither the pipeline nor the project declares. */
export function undeclaredVariables(
  document: PipelineDocument,
  isProjectVariable: (name: string) => boolean,
): readonly CheckBreach[] {
  const { source } = document;
  const unknown = (name: string) => !document.variables.has(name) && !isProjectVariable(name);
  return [...document.components.values()].flatMap((component) => {
    const uses = new Map<string, Span | undefined>();
    const parameters = component.node('parameters');
    for (const name of iterationOf(component)?.variables ?? []) uses.set(name, scalarWith(name, parameters));
    if (!usesOwnDollar(component.type)) collect(parameters, source.text, uses);
    return [...uses]
      .filter(([name]) => unknown(name))
      .map(([name, span]) => breachOf(document, component, name, span));
  });
}

function breachOf(
  { path, source }: PipelineDocument,
  component: Component,
  name: string,
  span: Span | undefined,
): CheckBreach {
  return {
    check: 'undeclared-variable',
    file: path,
    component: component.name,
    subject: name,
    message: `The component "${component.name}" uses the variable "${name}", but neither the pipeline nor the project declares it.`,
    range: span === undefined ? component.range : source.toRange(span),
  };
}

/** The first use of each name. The depth is bounded by the reader. */
function collect(node: YamlNode | undefined, text: string, uses: Map<string, Span | undefined>): void {
  if (node === undefined) return;
  if (node.kind === 'scalar') {
    if (!node.text.includes('${')) return;
    for (const [, name = ''] of node.text.matchAll(use)) {
      if (!uses.has(name)) uses.set(name, placeOfUse(name, node, text));
    }
  } else if (node.kind === 'list') for (const item of node.items) collect(item, text, uses);
  else for (const { value } of node.entries.values()) collect(value, text, uses);
}

/** The range of a name in a scalar; the whole scalar where the name is not literal: an alias, or an escaped `$`. */
function placeOfUse(name: string, node: Span, text: string): Span {
  for (const found of text.slice(node.start, node.end).matchAll(use)) {
    const start = node.start + found.index;
    if (found[1] === name) return { start, end: start + found[0].length };
  }
  return node;
}

/** The first scalar that consists of the name alone: where an iterator names its variable. */
function scalarWith(name: string, node: YamlNode | undefined): Span | undefined {
  if (node === undefined) return undefined;
  if (node.kind === 'scalar') return node.text === name ? node : undefined;
  const inner = node.kind === 'list' ? node.items : Array.from(node.entries.values(), ({ value }) => value);
  for (const item of inner) {
    const found = scalarWith(name, item);
    if (found !== undefined) return found;
  }
  return undefined;
}
