import type { Range } from '../../core/outcomes/finding.ts';
import type { YamlSource } from '../../yaml/read-yaml.ts';
import {
  childOf,
  isEmpty,
  itemsOf,
  type Span,
  textOf,
  type YamlEntry,
  type YamlNode,
} from '../../yaml/yaml-node.ts';

/** The condition under which an execution continues with the next component. */
export type TransitionKind = 'success' | 'failure' | 'unconditional' | 'true' | 'false';

export const transitionKinds = ['success', 'failure', 'unconditional', 'true', 'false'] as const;

export interface Transition {
  readonly on: TransitionKind;
  /** The component's name as written; it need not exist. */
  readonly to: string;
}

export interface Component {
  /** The key in `components`, which counts, unlike `parameters.componentName`. */
  readonly name: string;
  /** Empty if the file has none. */
  readonly type: string;
  /** The range of the name. */
  readonly range: Range;
  /** The range of the name as offsets into the file. */
  readonly span: Span;
  readonly transitions: readonly Transition[];
  /** The component that an iterator repeats. */
  readonly iterationTarget: string | undefined;
  /** Names of the components that this one reads from (transformations). */
  readonly sources: readonly string[];
  readonly skipped: boolean;
  /** The tree under `parameters`, `postProcessing` or any other key of the component. */
  node(key: string): YamlNode | undefined;
  /** The tree of one parameter. */
  parameter(name: string): YamlNode | undefined;
  /** One parameter's text as written; undefined if it is empty, a list or a map. */
  text(name: string): string | undefined;
}

/** Parses one entry of `pipeline.components`. Missing and malformed parts count as absent. */
export function readComponent(name: string, entry: YamlEntry, source: YamlSource): Component {
  const node = entry.value;
  const parameters = childOf(node, 'parameters');
  return {
    name,
    type: textOf(childOf(node, 'type')) ?? '',
    get range() {
      return source.toRange(entry.key);
    },
    span: entry.key,
    transitions: transitionsOf(childOf(node, 'transitions')),
    iterationTarget: namesOf(childOf(node, 'iterationTarget'))[0],
    sources: namesOf(childOf(node, 'sources')),
    skipped: skippedIn(node) === true,
    node: (key) => childOf(node, key),
    parameter: (key) => childOf(parameters, key),
    text: (key) => textOf(childOf(parameters, key)),
  };
}

/** Whether a component is skipped; undefined for a value that is neither true nor false, which counts as false. */
export function skippedIn(component: YamlNode): boolean | undefined {
  const node = childOf(component, 'skipped');
  if (isEmpty(node)) return false;
  const text = textOf(node)?.toLowerCase();
  return text === 'true' || text === 'false' ? text === 'true' : undefined;
}

function transitionsOf(node: YamlNode | undefined): readonly Transition[] {
  return transitionKinds.flatMap((on) => namesOf(childOf(node, on)).map((to) => ({ on, to })));
}

function namesOf(node: YamlNode | undefined): readonly string[] {
  return itemsOf(node).flatMap((item) => nameIn(item) ?? []);
}

/** The component that an item of a list names. `null` and `~` are names too, as they are as keys. */
export function nameIn(item: YamlNode): string | undefined {
  return textOf(item) ?? (item.kind === 'scalar' && item.text !== '' ? item.text : undefined);
}
