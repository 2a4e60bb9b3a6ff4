import type { Span, YamlNode } from '../../yaml/yaml-node.ts';
import type { Component } from '../model/component.ts';
import { expressionNames, expressionUse } from '../model/expression-names.ts';
import { iterationOf } from '../model/iterator.ts';
import { namedVariables } from '../model/named-variables.ts';
import type { PipelineDocument } from '../model/read-pipeline.ts';
import type { CheckBreach, CheckSteps } from './breach.ts';
import type { ScriptFact } from './missing-file.ts';

/** Whether a component of this type has scripts in a language that itself uses `${…}`. */
export function usesOwnDollar(type: string): boolean {
  return /^(?:bash|python|shell)/.test(type);
}

/** Finds variables in parameters, iterators and `postProcessing` that neither the pipeline nor the project declares. */
export function* undeclaredVariables(
  document: PipelineDocument,
  isProjectVariable: (name: string) => boolean,
): CheckSteps {
  const { source } = document;
  for (const component of document.components.values()) {
    const uses = new Map<string, Span | undefined>();
    const parameters = component.node('parameters');
    const iterated = iterationOf(component)?.variables ?? [];
    const scalars = iterated.length > 0 ? scalarsIn(parameters, new Map()) : undefined;
    for (const name of iterated) uses.set(name, scalars?.get(name));
    for (const { name, node } of namedVariables(component)) if (!uses.has(name)) uses.set(name, node);
    if (!usesOwnDollar(component.type)) yield* collect(parameters, source.text, uses);
    yield* collect(component.node('postProcessing'), source.text, uses);
    for (const [name, span] of uses) {
      yield undefined;
      if (document.variables.has(name) || isProjectVariable(name)) continue;
      yield breachOf(document, component, name, span);
    }
  }
}

/** The variables that a script uses, each with the line of its first use. */
export function variablesOfScript(text: string): ReadonlyMap<string, number> {
  const lines = new Map<string, number>();
  let [line, counted] = [1, 0];
  for (const { 1: expression = '', index } of text.matchAll(expressionUse)) {
    const names = expressionNames(expression).filter((name) => !lines.has(name));
    if (names.length === 0) continue;
    for (; counted < index; counted += 1) if (text[counted] === '\n') line += 1;
    for (const name of names) lines.set(name, line);
  }
  return lines;
}

/** The facts about the scripts of a pipeline that this check needs. */
export interface ScriptVariables {
  /** By path: the variables of the scripts that were read, with their lines. */
  readonly uses: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** The variables of the pipeline. */
  readonly declared: { has(name: string): boolean };
  readonly isProjectVariable: (name: string) => boolean;
}

/** Finds variables in SQL files that neither the pipeline that runs them nor the project declares. */
export function* undeclaredInScripts(
  file: string,
  scripts: readonly ScriptFact[],
  { uses, declared, isProjectVariable }: ScriptVariables,
): CheckSteps {
  for (const { component, path, written, range, replaces } of scripts) {
    if (path === undefined || replaces !== true) continue;
    for (const [name, line] of uses.get(path) ?? []) {
      yield undefined;
      if (declared.has(name) || isProjectVariable(name)) continue;
      const message = `The component "${component}" reads its script from "${written}", which uses the variable "${name}" in line ${line}, but neither the pipeline nor the project declares it.`;
      yield { check: 'undeclared-variable', file, component, subject: name, message, range };
    }
  }
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
function* collect(
  node: YamlNode | undefined,
  text: string,
  uses: Map<string, Span | undefined>,
): Generator<undefined, void, undefined> {
  if (node === undefined) return;
  yield undefined;
  if (node.kind === 'scalar') {
    if (!node.text.includes('${')) return;
    let places: ReadonlyMap<string, Span> | undefined;
    for (const [, expression = ''] of node.text.matchAll(expressionUse)) {
      yield undefined;
      for (const name of expressionNames(expression)) {
        if (uses.has(name)) continue;
        places ??= placesOfUses(node, text);
        // The whole scalar if the name is not literal: an alias, or an escaped `$`.
        uses.set(name, places.get(name) ?? node);
      }
    }
  } else if (node.kind === 'list') for (const item of node.items) yield* collect(item, text, uses);
  else for (const { value } of node.entries.values()) yield* collect(value, text, uses);
}

/** The range of the first use of each name in a scalar as written. */
function placesOfUses({ start, end }: Span, text: string): ReadonlyMap<string, Span> {
  const places = new Map<string, Span>();
  for (const { 0: whole, 1: expression = '', index } of text.slice(start, end).matchAll(expressionUse))
    for (const name of expressionNames(expression))
      if (!places.has(name)) places.set(name, { start: start + index, end: start + index + whole.length });
  return places;
}

/** The first scalar with each text. An iterator names its variable in a scalar that consists of the name alone. */
function scalarsIn(node: YamlNode | undefined, scalars: Map<string, Span>): ReadonlyMap<string, Span> {
  if (node?.kind === 'scalar') {
    if (!scalars.has(node.text)) scalars.set(node.text, node);
  } else if (node?.kind === 'list') for (const item of node.items) scalarsIn(item, scalars);
  else if (node !== undefined) for (const { value } of node.entries.values()) scalarsIn(value, scalars);
  return scalars;
}
