import type * as z from 'zod';
import { inputNameOf } from './input-name.ts';
import type { Operation } from './operation.ts';
import { wireSchema } from './wire-schema.ts';

/** One field of a request or an answer, as the reference lists it. */
export interface DescribedField {
  /** With the names of the objects around it: `streamingSource.connection.host`, `results[].name`. */
  readonly name: string;
  /** Where a request has it; `body` in an answer. */
  readonly place: 'path' | 'query' | 'body' | 'form' | `header ${string}`;
  /** Type and allowed values, such as `integer, 1 to 100` or `"TEXT" or "NUMBER"`. */
  readonly type: string;
  readonly required: boolean;
  /** Further facts as sentences; often empty. */
  readonly note: string;
}

/** The part of a JSON Schema that zod writes for the contract. */
interface Schema {
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly title?: string;
  readonly description?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly pattern?: string;
  readonly minLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minItems?: number;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema | boolean;
  readonly 'x-extension'?: boolean;
}

type Place = DescribedField['place'];

/** The fields of a request, with their names in the client (`Agent-Version` is `agentVersion`). */
export function requestFields({ params, query, headers, body }: Operation): DescribedField[] {
  return [
    ...fieldsOf(params, () => 'path'),
    ...fieldsOf(query, () => 'query'),
    ...fieldsOf(headers, (name) => `header ${name}`),
    ...(body.kind === 'json' ? fieldsOf(body.schema, () => 'body') : []),
    ...(body.kind === 'multipart' ? [files] : []),
  ];
}

const files: DescribedField = {
  name: 'files',
  place: 'form',
  type: 'files, at least one',
  required: true,
  note: 'One form part for each file. The key is its path relative to the project root.',
};

/** The fields in the body of an answer; empty if there is no body, or if the specification does not show it. */
export function answerFields({ answer }: Operation): DescribedField[] {
  if (answer === undefined) return [];
  const schema = withoutNull(wireSchema(answer)).schema;
  if (schema.items !== undefined) return describe('[]', schema.items, true, 'body');
  return members('', schema, () => 'body');
}

function fieldsOf(schema: z.ZodObject, place: (name: string) => Place): DescribedField[] {
  return members('', wireSchema(schema), place);
}

function members(prefix: string, schema: Schema, place: (name: string) => Place): DescribedField[] {
  const required = schema.required ?? [];
  return Object.entries(schema.properties ?? {}).flatMap(([name, member]) =>
    describe(
      prefix === '' ? inputNameOf(name) : `${prefix}.${name}`,
      member,
      required.includes(name),
      place(name),
    ),
  );
}

function describe(name: string, original: Schema, required: boolean, place: Place): DescribedField[] {
  const { schema, nullable } = withoutNull(original);
  const inner = innermost(name, schema);
  const children = isInline(inner.schema) ? [] : childrenOf(inner.schema, inner.name, place);
  const field = {
    name,
    place,
    required,
    type: `${typeOf(schema)}${nullable ? ' or null' : ''}`,
    note: noteOf(schema),
  };
  return name === '[]' && children.length > 0 ? children : [field, ...children];
}

/** What a list or a map holds, and how its members are called: `results[]`, `results.*[]`. */
function innermost(name: string, schema: Schema): { name: string; schema: Schema } {
  if (schema.items !== undefined) return innermost(`${name}[]`, schema.items);
  const values = valuesOf(schema);
  return values === undefined ? { name, schema } : innermost(`${name}.*`, values);
}

/** What a map holds; undefined for an object with names of its own. */
function valuesOf({ properties, additionalProperties }: Schema): Schema | undefined {
  const isMap = Object.keys(properties ?? {}).length === 0 && typeof additionalProperties === 'object';
  return isMap && Object.keys(additionalProperties).length > 0 ? additionalProperties : undefined;
}

/** The members of an object. If it has several shapes, the members of each. */
function childrenOf(schema: Schema, name: string, place: Place): DescribedField[] {
  const shapes = (schema.anyOf ?? []).filter(({ properties }) => properties !== undefined);
  if (shapes.length === 0) return members(name, schema, () => place);
  return shapes.flatMap((shape) =>
    members(name, shape, () => place).map((field) => ({
      ...field,
      note: [`Only for ${shape.title ?? 'this shape'}.`, field.note].filter((part) => part !== '').join(' '),
    })),
  );
}

function withoutNull(schema: Schema): { schema: Schema; nullable: boolean } {
  const rest = schema.anyOf?.filter(({ type }) => type !== 'null');
  if (rest === undefined || rest.length === schema.anyOf?.length) return { schema, nullable: false };
  const { anyOf: _, ...outside } = schema;
  const [only] = rest;
  return {
    schema: rest.length === 1 && only !== undefined ? { ...only, ...outside } : { ...outside, anyOf: rest },
    nullable: true,
  };
}

/** Small objects are shown as a type, others by their members. */
function isInline({ properties, anyOf }: Schema): boolean {
  if (anyOf?.some((shape) => shape.properties !== undefined) === true) return false;
  if (properties === undefined) return true;
  const list = Object.values(properties);
  return (
    list.length > 0 &&
    list.length <= 3 &&
    list.every(
      (property) =>
        property.properties === undefined && property.anyOf === undefined && noteOf(property) === '',
    )
  );
}

function typeOf(schema: Schema): string {
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' or ');
  if (schema.anyOf !== undefined) {
    const shapes = schema.anyOf.map((shape) => (isInline(shape) ? innerType(shape) : 'object'));
    return [...new Set(shapes)].join(' or ');
  }
  if (schema.items !== undefined) return listOf(schema);
  if (schema.type === 'object') return objectType(schema);
  if (schema.type === 'integer') return `integer${rangeOf(schema)}`;
  if (schema.format === 'uuid') return 'UUID';
  if (schema.format === 'date-time') return 'timestamp';
  if (schema.type === 'string') return `string${schema.minLength === 1 ? ', not empty' : ''}`;
  return [schema.type ?? 'any JSON value'].flat().join(' or ');
}

/** The type of a part of another type, without what would make that unreadable. */
function innerType(schema: Schema): string {
  return isInline(schema) ? typeOf(schema).replace(', not empty', '') : 'object';
}

function listOf({ items = {}, minItems }: Schema): string {
  return `list of ${innerType(items)}${minItems === undefined ? '' : `, at least ${minItems}`}`;
}

function objectType(schema: Schema): string {
  const { properties, required = [] } = schema;
  if (properties !== undefined && Object.keys(properties).length > 0) {
    if (!isInline(schema)) return 'object';
    const shown = Object.entries(properties).map(
      ([name, member]) => `${name}${required.includes(name) ? '' : '?'}: ${innerType(member)}`,
    );
    return `{ ${shown.join('; ')} }`;
  }
  const values = valuesOf(schema);
  return values === undefined ? 'object' : `map from name to ${innerType(values)}`;
}

/** Integers of JavaScript are always bounded; only bounds of the contract are shown. */
function rangeOf({ minimum = Number.MIN_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER }: Schema): string {
  const [low, high] = [minimum > Number.MIN_SAFE_INTEGER, maximum < Number.MAX_SAFE_INTEGER];
  if (low && high) return `, ${minimum} to ${maximum}`;
  return low ? `, at least ${minimum}` : '';
}

function noteOf(schema: Schema): string {
  return [
    ...(schema.description === undefined ? [] : [schema.description]),
    ...(schema['x-extension'] === true ? ['Not in the specification.'] : []),
    ...(schema.pattern === undefined || schema.format !== undefined
      ? []
      : [`Matches \`${schema.pattern}\`.`]),
  ].join(' ');
}
