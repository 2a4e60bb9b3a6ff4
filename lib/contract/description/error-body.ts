import * as z from 'zod';

/** Spec §7, first row: a streaming definition that is incomplete or invalid. The key is hyphenated. */
export const validationErrorBody = z.looseObject({
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  instance: z.string(),
  'validation-errors': z.array(z.looseObject({ field: z.string(), message: z.string() })),
});

/** Spec §7, the tag conflict; also the form of every 404 and 409 of the local platform (unknowns §3). */
export const plainErrorBody = z.looseObject({ error: z.string(), status: z.int() });

/** The third form that deployments answer (unknowns §1). */
export const problemErrorBody = z.looseObject({
  type: z.string().optional(),
  title: z.string(),
  status: z.int(),
  detail: z.string().optional(),
  instance: z.string().optional(),
  violations: z.array(z.string()),
});

/** Any of the three; the most specific first. */
export const errorBody = z.union([validationErrorBody, problemErrorBody, plainErrorBody]);

export type ErrorBody = z.infer<typeof errorBody>;
