import * as z from 'zod';

/**
 * An enumeration in an answer. The known values are typed; any other string is accepted, because the specification
 * says "other values: not shown" about nearly all enumerations.
 */
export function openEnum<const Known extends string>(values: readonly [Known, ...Known[]]) {
  return z.string().meta({
    examples: [...values],
    description: `Known values: ${values.join(', ')}. Others may come.`,
  }) as unknown as z.ZodType<Known | (string & {})>;
}

/** A closed enumeration in a request. */
export const closedEnum = z.enum;

/** A UUID in text form (spec §2). Any version and variant is accepted, because ids are only compared. */
export const uuid = z.guid();

/** An id in an answer. It is passed on unchanged, like every other text. */
export const answeredUuid = z.string().meta({ format: 'uuid' });

/** ISO 8601 with an offset or `Z` (spec §2). */
export const timestamp = z.iso.datetime({ offset: true });

/**
 * A timestamp in an answer. It is passed on unchanged, because a reader that only shows it need not validate its
 * format.
 */
export const answeredTimestamp = z.string().meta({ format: 'date-time' });

export const nonEmpty = z.string().min(1);

/** Marks a field that deployments have although the specification does not mention it (unknowns §6). */
export function extension<Schema extends z.ZodType>(schema: Schema): Schema {
  return schema.meta({ 'x-extension': true });
}

/** The envelope of a paged list (spec §2). The first page is 0. */
export function pageOf<Item extends z.ZodType>(item: Item) {
  return z.looseObject({
    page: z.int(),
    results: z.array(item),
    size: z.int(),
    total: z.int(),
  });
}

/** The query of a paged list. The specification only shows limits for audit and defaults for variables (§8). */
export const paging = z.strictObject({
  page: z.int().min(0).optional(),
  size: z.int().min(1).max(100).optional(),
});

export const emptyAnswer = z.looseObject({});
