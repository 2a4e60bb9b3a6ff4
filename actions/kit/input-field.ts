import { z } from 'zod';
import { parseDuration } from '../../lib/config/duration.ts';

/** What `action.yml` and the README say about an input, beside its type. */
export interface InputMeta {
  readonly description: string;
  /** As written in `action.yml`; an expression is allowed. */
  readonly default?: string;
  /** Checked by us: GitHub does not. */
  readonly required?: boolean;
  /** Masked before anything else happens. */
  readonly secret?: boolean;
}

/** Reads what a field was declared with. */
export function metaOf(field: z.ZodType): InputMeta {
  return z
    .object({
      description: z.string(),
      default: z.string().optional(),
      required: z.boolean().optional(),
      secret: z.boolean().optional(),
    })
    .transform(({ description, ...rest }): InputMeta => ({ description, ...withoutUndefined(rest) }))
    .parse(field.meta());
}

function withoutUndefined(value: Record<string, unknown>): Omit<InputMeta, 'description'> {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== undefined));
}

/** Optional text. */
export function text(description: string) {
  return z.string().optional().meta({ description });
}

/** Text that must be given. */
export function requiredText(description: string) {
  return z.string({ error: 'must be given' }).meta({ description, required: true });
}

/** Text with a default that the schema knows too, so that a composite step may leave it out. */
export function textOr(fallback: string, description: string) {
  return z.string().default(fallback).meta({ description, default: fallback });
}

/** Optional text that nobody may see. */
export function secret(description: string, fallback?: string) {
  return z
    .string()
    .optional()
    .meta({ description, secret: true, ...(fallback === undefined ? {} : { default: fallback }) });
}

/** `true` or `false`, in the spellings of YAML 1.2 that GitHub's own toolkit takes. */
export function flag(fallback: boolean, description: string) {
  const shown = fallback ? 'true' : 'false';
  return z
    .enum(['true', 'True', 'TRUE', 'false', 'False', 'FALSE'], { error: 'must be true or false' })
    .default(shown)
    .transform((value) => value.toLowerCase() === 'true')
    .meta({ description, default: shown });
}

/** One of a few words. */
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

/** One of a few words, or nothing: then something else decides. */
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

/** A time such as `30m`, in milliseconds. */
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

/** One item per line. */
export function lines(description: string) {
  return z
    .string()
    .optional()
    .transform((value) => linesOf(value ?? ''))
    .meta({ description });
}

/** The same, at least one. */
export function requiredLines(description: string) {
  return z.string({ error: 'must be given' }).transform(linesOf).meta({ description, required: true });
}

function linesOf(given: string): string[] {
  return given
    .split(/\r?\n/u)
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
