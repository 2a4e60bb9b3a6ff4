import type * as z from 'zod';

type DeepReadonly<Value> = Value extends readonly (infer Item)[]
  ? readonly DeepReadonly<Item>[]
  : Value extends object
    ? { readonly [Name in keyof Value]: DeepReadonly<Value[Name]> }
    : Value;

/**
 * Returns the schema. It is a type error if a value of `Report` does not fit the schema. Use:
 * `covers(schema)<Report>()`.
 */
export function covers<Schema extends z.ZodType>(
  schema: Schema,
): <Report extends DeepReadonly<z.output<Schema>>>() => Schema & { readonly of?: Report } {
  return () => schema;
}
