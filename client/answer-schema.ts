import * as z from 'zod';

/** From so many answers on, what compiling takes (a third of a millisecond) has come back. */
const worthCompiling = 50;

const timesUsed = new WeakMap<z.ZodType, number>();
const compiled = new WeakMap<z.ZodType, z.ZodType>();

/**
 * The schema to read an answer with: of an operation that is called again and again its compiled form, which takes a
 * quarter of the time. Where the host forbids making code at run time, `z.compile` hands the schema back as it is.
 */
export function answerSchema(schema: z.ZodType): z.ZodType {
  const fast = compiled.get(schema);
  if (fast !== undefined) return fast;
  const times = (timesUsed.get(schema) ?? 0) + 1;
  timesUsed.set(schema, times);
  if (times < worthCompiling) return schema;
  const made = z.compile(schema);
  compiled.set(schema, made);
  return made;
}
