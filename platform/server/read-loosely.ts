import type * as z from 'zod';

const options = { reportInput: true } as const;

export function readStrictly<Schema extends z.ZodType>(schema: Schema, value: unknown) {
  return schema.safeParse(value, options);
}

/** Maximum number of nested levels with unknown fields; deeper ones are refused. No request of the specification is deeper. */
const maxRounds = 10;

/** Validates strictly, but first removes the fields that the schema does not know, at every level. */
export function readLoosely<Schema extends z.ZodType>(schema: Schema, value: unknown) {
  let known = value;
  for (let round = 0; round < maxRounds; round += 1) {
    const checked = schema.safeParse(known, options);
    const unknown = checked.error?.issues.filter((issue) => issue.code === 'unrecognized_keys') ?? [];
    if (unknown.length === 0) return checked;
    known = unknown.reduce((rest: unknown, { path, keys }) => without(rest, path, new Set(keys)), known);
  }
  return schema.safeParse(known, options);
}

/** A copy of a JSON value without some keys of the object at a path. */
function without(
  value: unknown,
  [step, ...rest]: readonly PropertyKey[],
  keys: ReadonlySet<string>,
): unknown {
  if (Array.isArray(value))
    return value.map((item, index) => (index === step ? without(item, rest, keys) : item));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, held]) => {
      if (step === undefined) return keys.has(key) ? [] : [[key, held]];
      return [[key, key === step ? without(held, rest, keys) : held]];
    }),
  );
}
