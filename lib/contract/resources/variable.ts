import * as z from 'zod';
import { closedEnum, nonEmpty, openEnum } from '../description/field.ts';

const value = z.union([z.string(), z.number()]);
const type = closedEnum(['TEXT', 'NUMBER']);
const behaviour = closedEnum(['SHARED', 'COPIED']);

/** The body that creates a variable (spec §2.9). */
export const variableDefinition = z.strictObject({
  name: nonEmpty,
  type,
  behaviour,
  description: z.string().optional(),
  value: value.optional(),
  supportsDoubleResolution: z.boolean().optional(),
});

/**
 * The body that changes a variable (spec §4.6). `type` and `behaviour` are required even if they do not change; the
 * name cannot be changed.
 */
export const variableChange = z.strictObject({
  type,
  behaviour,
  description: z.string().optional(),
  value: value.optional(),
  supportsDoubleResolution: z.boolean().optional(),
});

export const variableCreated = z.looseObject({ id: z.string(), name: z.string(), value: value.nullish() });

export const variable = z.looseObject({
  id: z.string(),
  name: z.string(),
  type: openEnum(['TEXT', 'NUMBER']),
  behaviour: openEnum(['SHARED', 'COPIED']).optional(),
  description: z.string().nullish(),
  value: value.nullish(),
  supportsDoubleResolution: z.boolean().nullish(),
});

export const overridesChange = z.strictObject({
  overrides: z.array(z.strictObject({ environmentName: nonEmpty, value })).min(1),
});

const override = z.looseObject({ environmentName: z.string(), value });

export const overrides = z.looseObject({
  variable: z.looseObject({ id: z.string(), name: z.string(), type: openEnum(['TEXT', 'NUMBER']) }),
  overrides: z.array(override),
});

const failedOverride = z.looseObject({
  environmentName: z.string().optional(),
  reason: z.string().optional(),
});

/**
 * The answer to a change of overrides (spec §4.6). The specification writes both `failedOverrides` and
 * `failedOverride`; readers accept both and return the first.
 */
export const overridesChanged = z
  .looseObject({
    variableName: z.string(),
    type: openEnum(['TEXT', 'NUMBER']),
    successfulOverrides: z.array(override),
    failedOverrides: z.array(failedOverride).optional(),
    failedOverride: z.array(failedOverride).optional(),
  })
  .transform(({ failedOverride: singular, ...rest }) => ({
    ...rest,
    failedOverrides: rest.failedOverrides ?? singular ?? [],
  }));
