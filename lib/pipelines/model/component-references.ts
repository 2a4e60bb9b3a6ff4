import { childOf, itemsOf, type Shareable, textOf, type YamlNode } from '../../yaml/yaml-node.ts';
import { type Component, nameIn, transitionKinds } from './component.ts';
import type { PipelineDocument } from './read-pipeline.ts';

/** A place in a pipeline file that names a component of the file. */
export interface ComponentReference extends Shareable {
  /** The name; a component of this name need not exist. */
  readonly name: string;
  /**
   * `scalar`: the key or value is the name. `part`: the name inside a longer text. `hidden`: the text contains the name,
   * but its position is unknown, because the text is written with escapes.
   */
  readonly form: 'scalar' | 'part' | 'hidden';
}

/** All places that name components, including the keys of `components`, in the order of the file. */
export function componentReferences(document: PipelineDocument): readonly ComponentReference[] {
  const { source, components } = document;
  const keys = childOf(childOf(source.root, 'pipeline'), 'components');
  const references: ComponentReference[] = [];
  for (const [name, { key }] of keys?.kind === 'map' ? keys.entries : [])
    references.push({ ...placeOf(key), name, form: 'scalar' });
  for (const component of components.values()) references.push(...referencesIn(component, source.text));
  // The items of an aliased list are found once for each alias.
  const once = new Map(
    references.map((reference) => [`${reference.start} ${reference.end} ${reference.name}`, reference]),
  );
  return [...once.values()].toSorted((a, b) => a.start - b.start);
}

/** Parameters whose text is the name of a source (transformations). */
const sourceParameters: ReadonlyMap<string, string> = new Map([
  ['join', 'mainTable'],
  ['detect-changes', 'masterTable'],
]);

/** Whether a parameter, or a cell of its rows, is the name of a source of the component. */
export function namesSource(type: string, [parameter = '', , cell]: readonly (string | number)[]): boolean {
  if (parameter === 'joins') return type === 'join' && cell === 0;
  return sourceParameters.get(type) === parameter;
}

function* referencesIn(component: Component, text: string): Generator<ComponentReference> {
  for (const kind of transitionKinds) yield* scalars(childOf(component.node('transitions'), kind));
  yield* scalars(component.node('iterationTarget'));
  yield* scalars(component.node('sources'));
  const componentName = component.parameter('componentName');
  if (textOf(componentName) === component.name) yield* scalars(componentName);
  for (const node of sourceNames(component)) {
    if (component.sources.includes(textOf(node) ?? '')) yield* scalars(node);
  }
  if (component.type === 'sql') yield* inQuery(component, text);
}

function sourceNames(component: Component): readonly (YamlNode | undefined)[] {
  const main = component.parameter(sourceParameters.get(component.type) ?? '');
  if (component.type !== 'join') return [main];
  const rows = itemsOf(component.parameter('joins'));
  return [main, ...rows.map((row) => (row.kind === 'list' ? row.items[0] : undefined))];
}

function* scalars(node: YamlNode | undefined): Generator<ComponentReference> {
  for (const item of itemsOf(node)) {
    const name = nameIn(item);
    if (name !== undefined) yield { ...placeOf(item), name, form: 'scalar' };
  }
}

function placeOf({ start, end, anchor, alias }: Shareable): Shareable {
  return { start, end, ...(anchor !== undefined && { anchor }), ...(alias !== undefined && { alias }) };
}

const query = /\$T\{([^}]*)\}/g;

/** `$T{Name}` in the query of an `sql` component. */
function* inQuery(component: Component, text: string): Generator<ComponentReference> {
  const node = component.parameter('query');
  const names = [...(textOf(node) ?? '').matchAll(query)].map(([, name = '']) => name);
  if (node === undefined || names.length === 0) return;
  const places = [...text.slice(node.start, node.end).matchAll(query)];
  for (const [index, name] of names.entries()) {
    if (!component.sources.includes(name)) continue;
    const place = places[index];
    const start = node.start + (place?.index ?? 0) + '$T{'.length;
    const isWritten = places.length === names.length && place?.[1] === name;
    yield isWritten
      ? { name, start, end: start + name.length, form: 'part' }
      : { name, start: node.start, end: node.end, form: 'hidden' };
  }
}
