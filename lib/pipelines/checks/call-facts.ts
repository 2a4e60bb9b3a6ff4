import type { Edit, Range } from '../../core/outcomes/finding.ts';
import { type Call, callsOf } from '../model/calls.ts';
import type { Component } from '../model/component.ts';
import type { PipelineDocument } from '../model/read-pipeline.ts';
import { scalarEditor } from '../../yaml/edit-scalar.ts';
import type { YamlSource } from '../../yaml/read-yaml.ts';
import { numberOf } from '../../core/text/number-of.ts';
import { childOf, itemsOf, textOf, type YamlNode } from '../../yaml/yaml-node.ts';
import { type Grid, gridOf } from '../model/grid.ts';

/** A variable that a call sets in the called pipeline. */
export interface PassedVariable {
  readonly name: string;
  /** The text as written; undefined for a grid. */
  readonly value: string | undefined;
  /** The rows of a grid as written; undefined if they are known only at run time. */
  readonly rows?: Grid | undefined;
  /** The number of cells of each row that comes from another grid. */
  readonly width?: number | undefined;
  readonly range: Range;
}

/** An error in a call that no called pipeline could accept. */
export interface PassingFault {
  /** The variable, or else the parameter. */
  readonly subject: string;
  /** The end of a sentence that begins with the component. */
  readonly message: string;
  readonly range: Range;
}

/**
 * The facts about a call that are known before a run, without the document, because ten thousand documents do not
 * fit into memory.
 */
export interface CallFact extends Pick<Call, 'kind' | 'version'> {
  readonly component: string;
  /** Empty if the component names no pipeline. */
  readonly target: string;
  /** The range of the target, or of the component. */
  readonly range: Range;
  /** The edit that changes the called pipeline. */
  readonly retarget: (target: string) => Edit | undefined;
  readonly passed: readonly PassedVariable[];
  readonly faults: readonly PassingFault[];
}

/** The parameter that contains the target of a call, by kind of call. */
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
      faults: passingFaults(component, source),
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
    ...passedRows(childOf(item, 'gridValues')),
  }));
  return [...scalars, ...grids].flatMap(({ node, ...passed }) => {
    const name = fixedName(node);
    return node === undefined || name === undefined ? [] : { name, ...passed, range: source.toRange(node) };
  });
}

/** The name of a variable; undefined if there is none, or if it is known only at run time. */
function fixedName(node: YamlNode | undefined): string | undefined {
  const name = textOf(node) ?? '';
  return name === '' || name.includes('${') ? undefined : name;
}

function passedRows(values: YamlNode | undefined): Pick<PassedVariable, 'rows' | 'width'> {
  const fromGrid = childOf(values, 'fromGrid');
  if (fromGrid !== undefined) return { width: itemsOf(childOf(fromGrid, 'columns')).length };
  return { rows: values?.kind === 'map' ? undefined : gridOf(values) };
}

/** Rows that are not a variable and its value, variables that are passed twice, and grids without a name or rows. */
function passingFaults(component: Component, source: YamlSource): readonly PassingFault[] {
  const scalars = component.parameter('setScalarVariables');
  const rows = scalars?.kind === 'list' ? scalars.items : [];
  const odd = rows.flatMap((row): readonly PassingFault[] => {
    const cells = row.kind === 'list' ? row.items : [row];
    if (cells.length === 2) return [];
    const found = numberOf(cells.length, 'value');
    const message = `has a row with ${found} in setScalarVariables: each row is a variable and its value`;
    return [{ subject: textOf(cells[0]) ?? 'setScalarVariables', message, range: source.toRange(row) }];
  });
  const grids = itemsOf(component.parameter('setGridVariables'));
  return [
    ...odd,
    ...passedTwice(
      rows.map((row) => (row.kind === 'list' ? row.items[0] : row)),
      source,
    ),
    ...passedTwice(
      grids.map((item) => childOf(item, 'variable')),
      source,
    ),
    ...grids.flatMap((item) => gridFaults(item, source)),
  ];
}

function passedTwice(names: readonly (YamlNode | undefined)[], source: YamlSource): readonly PassingFault[] {
  const seen = new Set<string>();
  return names.flatMap((node): readonly PassingFault[] => {
    const name = fixedName(node);
    if (name === undefined || node === undefined) return [];
    if (!seen.has(name)) {
      seen.add(name);
      return [];
    }
    return [{ subject: name, message: `passes the variable "${name}" twice`, range: source.toRange(node) }];
  });
}

/** What is wrong with a grid that is passed, whatever its variable is. */
function gridFaults(item: YamlNode, source: YamlSource): readonly PassingFault[] {
  const node = childOf(item, 'variable');
  const name = textOf(node) ?? '';
  const fault = (message: string): readonly PassingFault[] => [
    { subject: name === '' ? 'setGridVariables' : name, message, range: source.toRange(node ?? item) },
  ];
  if (name === '') return fault('passes a grid without the name of its variable: set `variable`');
  const values = childOf(item, 'gridValues');
  if (values === undefined)
    return fault(`passes the grid "${name}" without \`gridValues\`; for a grid without rows, write []`);
  const status = textOf(childOf(item, 'status'))?.trim().toLowerCase();
  const isFromGrid = childOf(values, 'fromGrid') !== undefined;
  if (status === 'grid' && !isFromGrid)
    return fault(`passes the grid "${name}" with the status grid, but \`gridValues\` has no \`fromGrid\``);
  if (status === 'values' && isFromGrid)
    return fault(`passes the grid "${name}" with the status values, but \`gridValues\` has a \`fromGrid\``);
  return [];
}
