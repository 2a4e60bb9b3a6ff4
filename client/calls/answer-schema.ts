import * as z from 'zod';

/** Compiling takes a third of a millisecond; it pays off after this number of answers. */
const minUsesToCompile = 50;

const timesUsed = new WeakMap<z.ZodType, number>();
const compiled = new WeakMap<z.ZodType, z.ZodType>();

/**
 * The schema that reads an answer. For an operation that is called often it is the compiled form, which takes a
 * quarter of the time. Where the host forbids code generation, `z.compile` returns the schema unchanged.
 */
export function answerSchema(schema: z.ZodType): z.ZodType {
  const fast = compiled.get(schema);
  if (fast !== undefined) return fast;
  const times = (timesUsed.get(schema) ?? 0) + 1;
  timesUsed.set(schema, times);
  if (times < minUsesToCompile) return schema;
  const made = z.compile(schema);
  compiled.set(schema, made);
  return made;
}
