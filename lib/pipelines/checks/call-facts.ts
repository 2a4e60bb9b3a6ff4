import type { Edit, Range } from '../../core/outcomes/finding.ts';
import { type Call, callsOf } from '../model/calls.ts';
import type { Component } from '../model/component.ts';
import type { PipelineDocument } from '../model/read-pipeline.ts';
import { scalarEditor } from '../../yaml/edit-scalar.ts';
import type { YamlSource } from '../../yaml/read-yaml.ts';
import { childOf, itemsOf, textOf } from '../../yaml/yaml-node.ts';

/** A variable that a call sets in the called pipeline. */
export interface PassedVariable {
  readonly name: string;
  /** The text as written; undefined for a grid. */
  readonly value: string | undefined;
  readonly range: Range;
}

/** A call that is known before it runs, without its document: ten thousand documents do not fit into memory. */
export interface CallFact extends Pick<Call, 'kind' | 'version'> {
  readonly component: string;
  /** Empty if the component names no pipeline. */
  readonly target: string;
  /** The range of the target, or of the component. */
  readonly range: Range;
  /** The edit that changes the called pipeline. */
  readonly retarget: (target: string) => Edit | undefined;
  readonly passed: readonly PassedVariable[];
}

/** The parameter with the target. */
export const targetParameters: Readonly<Record<Call['kind'], string>> = {
  orchestration: 'orchestrationJob',
  transformation: 'transformationJob',
  shared: 'pipelineName',
};

/** The calls of a document, without those whose target contains a variable. */
export function callFacts(document: PipelineDocument): readonly CallFact[] {
  const { source } = document;
  return callsOf(document).flatMap(({ component, kind, target, dynamic, version }) => {
    if (dynamic) return [];
    const node = component.parameter(targetParameters[kind]);
    const isNamed = node !== undefined && target !== '';
    return {
      component: component.name,
      target,
      kind,
      version,
      range: isNamed ? source.toRange(node) : component.range,
      retarget: isNamed ? scalarEditor(source, node) : () => undefined,
      passed: passedVariables(component, source),
    };
  });
}

/** The variables that the component passes, without those whose names are not fixed. */
function passedVariables(component: Component, source: YamlSource): readonly PassedVariable[] {
  const scalars = itemsOf(component.parameter('setScalarVariables')).map((row) => {
    const [name, value] = row.kind === 'list' ? row.items : [row];
    return { node: name, value: textOf(value) ?? '' };
  });
  const grids = itemsOf(component.parameter('setGridVariables')).map((item) => ({
    node: childOf(item, 'variable'),
    value: undefined,
  }));
  return [...scalars, ...grids].flatMap(({ node, value }) => {
    const name = textOf(node) ?? '';
    if (node === undefined || name === '' || name.includes('${')) return [];
    return { name, value, range: source.toRange(node) };
  });
}
