import { z } from 'zod';
import { parseDuration } from '../../../lib/config/fields/duration.ts';

/** Metadata of an input for `action.yml` and the README. */
export interface InputMeta {
  readonly description: string;
  /** The default in `action.yml`. It may be an expression. */
  readonly default?: string;
  /** Millrace checks this, because GitHub does not. */
  readonly required?: boolean;
  /** The value is masked before anything else happens. */
  readonly secret?: boolean;
}

/**
 * Options for parsing with a schema that is used only once: the schema is not compiled first, because compiling
 * takes longer than everything that a step reads with it.
 */
export const readOnce = { jitless: true };

const metaSchema = z
  .object({
    description: z.string(),
    default: z.string().optional(),
    required: z.boolean().optional(),
    secret: z.boolean().optional(),
  })
  .transform(({ description, ...rest }): InputMeta => ({ description, ...withoutUndefined(rest) }));

/** The metadata of a field. */
export function metaOf(field: z.ZodType): InputMeta {
  return metaSchema.parse(field.meta(), readOnce);
}

function withoutUndefined(value: Record<string, unknown>): Omit<InputMeta, 'description'> {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined));
}

/** Optional text. */
export function text(description: string) {
  return z.string().optional().meta({ description });
}

/** Required text. */
export function requiredText(description: string) {
  return z.string({ error: 'must be given' }).meta({ description, required: true });
}

/** Text with a default. The schema has the default too, because a composite step may omit the input. */
export function textOr(fallback: string, description: string) {
  return z.string().default(fallback).meta({ description, default: fallback });
}

/** Optional secret text. */
export function secret(description: string, fallback?: string) {
  return z
    .string()
    .optional()
    .meta({ description, secret: true, ...(fallback === undefined ? {} : { default: fallback }) });
}

/** `true` or `false`, in the spellings of YAML 1.2 that GitHub's toolkit accepts. */
export function flag(fallback: boolean, description: string) {
  const shown = fallback ? 'true' : 'false';
  return z
    .enum(['true', 'True', 'TRUE', 'false', 'False', 'FALSE'], { error: 'must be true or false' })
    .default(shown)
    .transform((value) => value.toLowerCase() === 'true')
    .meta({ description, default: shown });
}

/** One of several values. */
export function choice<const T extends readonly [string, ...string[]]>(
  values: T,
  fallback: T[number],
  description: string,
) {
  return z
    .enum(values, { error: `must be one of ${values.join(', ')}` })
    .default(fallback)
    .meta({
      description: `${description} (${values.map((value) => `\`${value}\``).join(', ')})`,
      default: fallback,
    });
}

/** One of several values; undefined if another setting applies. */
export function optionalChoice<const T extends readonly [string, ...string[]]>(
  values: T,
  description: string,
) {
  return z
    .enum(values, { error: `must be one of ${values.join(', ')}` })
    .optional()
    .meta({ description: `${description} (${values.map((value) => `\`${value}\``).join(', ')})` });
}

/** Optional whole number of at least 1. */
export function optionalCount(description: string) {
  return z
    .string()
    .regex(/^[1-9]\d{0,5}$/u, { error: 'must be a whole number of at least 1' })
    .transform(Number)
    .optional()
    .meta({ description });
}

/** Optional whole number from 0 to 100. */
export function optionalPercent(description: string) {
  return z
    .string()
    .regex(/^(?:\d{1,2}|100)$/u, { error: 'must be a whole number from 0 to 100' })
    .transform(Number)
    .optional()
    .meta({ description });
}

/** A duration such as `30m`, in milliseconds. */
export function duration(fallback: string, description: string) {
  return z
    .string()
    .default(fallback)
    .transform((value, context) => {
      const milliseconds = parseDuration(value);
      if (milliseconds !== undefined) return milliseconds;
      context.addIssue('must be a duration such as 90s, 30m, 2h or 1h30m');
      return z.NEVER;
    })
    .meta({ description, default: fallback });
}

/** A list with one item per line. */
export function lines(description: string) {
  return z
    .string()
    .optional()
    .transform((value) => linesOf(value ?? ''))
    .meta({ description });
}

/** A list with one item per line, and at least one item. */
export function requiredLines(description: string) {
  return z.string({ error: 'must be given' }).transform(linesOf).meta({ description, required: true });
}

function linesOf(value: string): string[] {
  return value
    .split(/\r?\n/u)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
