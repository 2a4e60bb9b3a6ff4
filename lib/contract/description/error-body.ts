import * as z from 'zod';

/**
 * The body of the answer for a streaming definition that is incomplete or invalid (spec §7, first row). The key
 * contains a hyphen.
 */
export const validationErrorBody = z.looseObject({
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  instance: z.string(),
  'validation-errors': z.array(z.looseObject({ field: z.string(), message: z.string() })),
});

/**
 * The body of the answer for a tag conflict (spec §7), and of every 404 and 409 of the local platform (unknowns
 * §3).
 */
export const plainErrorBody = z.looseObject({ error: z.string(), status: z.int() });

/** The third form of error body, which some deployments use (unknowns §1). */
export const problemErrorBody = z.looseObject({
  type: z.string().optional(),
  title: z.string(),
  status: z.int(),
  detail: z.string().optional(),
  instance: z.string().optional(),
  violations: z.array(z.string()),
});

/** Any of the three forms of error body, the most specific first. */
export const errorBody = z.union([validationErrorBody, problemErrorBody, plainErrorBody]);

export type ErrorBody = z.infer<typeof errorBody>;
