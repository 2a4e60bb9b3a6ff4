import { z } from 'zod';

/** What we read of JSON Schema, in the dialect of OpenAPI 3.0; a key that is not here stops the distilling. */
export interface Schema {
  readonly $ref?: string | undefined;
  readonly type?: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object' | undefined;
  readonly nullable?: boolean | undefined;
  readonly enum?: readonly unknown[] | undefined;
  readonly format?: 'date-time' | 'uri' | undefined;
  readonly minLength?: number | undefined;
  readonly maxLength?: number | undefined;
  readonly minItems?: number | undefined;
  readonly maxItems?: number | undefined;
  readonly minimum?: number | undefined;
  readonly maximum?: number | undefined;
  readonly pattern?: string | undefined;
  readonly items?: Schema | undefined;
  readonly properties?: Readonly<Record<string, Schema>> | undefined;
  readonly required?: readonly string[] | undefined;
  readonly additionalProperties?: boolean | Schema | undefined;
  readonly oneOf?: readonly Schema[] | undefined;
  readonly anyOf?: readonly Schema[] | undefined;
  readonly allOf?: readonly Schema[] | undefined;
}

export const schema: z.ZodType<Schema> = z.lazy(() =>
  z.strictObject({
    $ref: z.string().optional(),
    type: z.enum(['string', 'integer', 'number', 'boolean', 'array', 'object']).optional(),
    nullable: z.boolean().optional(),
    enum: z.array(z.unknown()).optional(),
    format: z.enum(['date-time', 'uri']).optional(),
    minLength: z.number().optional(),
    maxLength: z.number().optional(),
    minItems: z.number().optional(),
    maxItems: z.number().optional(),
    minimum: z.number().optional(),
    maximum: z.number().optional(),
    pattern: z.string().optional(),
    items: schema.optional(),
    properties: z.record(z.string(), schema).optional(),
    required: z.array(z.string()).optional(),
    additionalProperties: z.union([z.boolean(), schema]).optional(),
    oneOf: z.array(schema).optional(),
    anyOf: z.array(schema).optional(),
    allOf: z.array(schema).optional(),
  }),
);

const operation = z.strictObject({
  /** In paths and queries. */
  parameters: z.array(
    z.strictObject({
      name: z.string(),
      in: z.enum(['path', 'query']),
      required: z.boolean(),
      /** A part of a path that may hold slashes. */
      several: z.boolean().optional(),
      schema,
    }),
  ),
  body: z.strictObject({ required: z.boolean(), schema }).optional(),
  /** By status. Nothing is required in them: the stand-in gives a part of each. */
  answers: z.record(z.string(), schema),
});

export type Operation = z.infer<typeof operation>;

/** The file that `distil.ts` writes. */
export const description = z.strictObject({
  source: z.string(),
  license: z.string(),
  /** By `GET /repos/{owner}/{repo}`. */
  operations: z.record(z.string(), operation),
  schemas: z.record(z.string(), schema),
});

export type Description = z.infer<typeof description>;
