import * as z from 'zod';

/**
 * The JSON Schema of a body as it is sent. `input`: before a reader transforms it. `output`: after the wrapping of
 * an unwrapped record, where the other side may be anything.
 */
export function wireSchema(schema: z.ZodType): Record<string, unknown> {
  const before = jsonSchema(schema, 'input');
  return Object.keys(before).length > 0 ? before : jsonSchema(schema, 'output');
}

/** Without `$schema`: OpenAPI 3.1 names the dialect itself. */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return rest;
}
