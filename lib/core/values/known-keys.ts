import { isList } from './is-list.ts';

type SchemaPart = SchemaNode | boolean;

/** The part of a JSON Schema that says which keys a map may have. */
export interface SchemaNode {
  readonly properties?: Readonly<Record<string, SchemaPart>> | undefined;
  readonly propertyNames?: SchemaPart | undefined;
  readonly additionalProperties?: SchemaPart | undefined;
  readonly items?: SchemaPart | readonly SchemaPart[] | undefined;
  readonly anyOf?: readonly SchemaPart[] | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly const?: string | number | boolean | null | undefined;
}

/** The allowed keys of a map: its properties, or the listed names of a record. */
export function knownKeys(node: SchemaNode | undefined): string[] {
  const { properties = {}, propertyNames, anyOf = [] } = node ?? {};
  const names = typeof propertyNames === 'object' ? (propertyNames.enum ?? []) : [];
  const others = anyOf.flatMap((alternative) =>
    typeof alternative === 'object' ? knownKeys(alternative) : [],
  );
  return [...Object.keys(properties), ...names.map(String), ...others];
}

/** The part of a schema that describes the value at a path; undefined if the schema has no such path. */
export function nodeAt(schema: SchemaNode, path: readonly (string | number)[]): SchemaNode | undefined {
  let node: SchemaNode | undefined = schema;
  for (const step of path) node = node && childAt(node, step);
  return node;
}

function childAt(node: SchemaNode, step: string | number): SchemaNode | undefined {
  const { properties, additionalProperties, items, anyOf = [] } = node;
  const child = typeof step === 'number' ? items : (properties?.[step] ?? additionalProperties);
  if (typeof child === 'object' && !isList(child)) return child;
  const others = anyOf.flatMap((alternative) =>
    typeof alternative === 'object' ? [childAt(alternative, step)] : [],
  );
  return others.find((other) => other !== undefined);
}
