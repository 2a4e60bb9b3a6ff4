import { z } from 'zod';
import type { PlaceOf, WrittenColumn } from '../../../engine/index.ts';
import { type Span, textOf, type YamlNode } from '../../../lib/yaml/yaml-node.ts';

/** A name of a table, a column or a part of a test. */
export const nameSchema = z.string().min(1);

/** The columns of a table. */
export const columnsSchema = z
  .record(nameSchema, z.string().min(1), { error: 'must be a map of types, such as { id: NUMBER }' })
  .describe('Types of columns as SQL writes them: NUMBER(10,2), VARCHAR, DATE.');

/** The schema of a file that `schemas` names: columns by table. */
export const tableSchemasSchema = z.record(nameSchema, columnsSchema);

/** The entries of a YAML map, with key and value. */
export function entriesOf(
  node: YamlNode | undefined,
): readonly (readonly [name: string, key: Span, value: YamlNode])[] {
  return node?.kind === 'map'
    ? [...node.entries].map(([name, { key, value }]) => [name, key, value] as const)
    : [];
}

/** The columns in a YAML map, with their types. */
export function columnsOf(node: YamlNode | undefined, placeOf: PlaceOf): readonly WrittenColumn[] {
  return entriesOf(node).map(([name, , value]) => ({
    name,
    type: textOf(value) ?? '',
    place: placeOf(value),
  }));
}
