import * as z from 'zod';
import { kindsOfFault } from '../faults/fault-kinds.ts';
import { faultsSchema, type ReadyPlan } from '../faults/fault-schema.ts';

const number = z
  .string()
  .regex(/^\d{0,9}$/, 'must be a number')
  .transform((text) => (text === '' ? undefined : Number(text)));

const form = z.union([
  z.strictObject({
    operation: z.string(),
    fault: z.enum(kindsOfFault.map(({ name }) => name)),
    times: number,
  }),
  z.strictObject({ rateLimit: number }),
]);

/** A form of the inspector as a fault plan. An empty field is absent. */
export const faultForm = form
  .transform((given): unknown => {
    if ('rateLimit' in given) return { rateLimit: given.rateLimit ?? false };
    const { rule } = kindsOfFault.find(({ name }) => name === given.fault) ?? {};
    const operation = given.operation === '' ? {} : { operation: given.operation };
    return { rules: [{ ...operation, ...rule, times: given.times }] };
  })
  .pipe(faultsSchema) satisfies z.ZodType<ReadyPlan>;
