import type { z } from 'zod';
import { Failure } from '../../../lib/core/errors/failure.ts';
import { describeSchemaIssue } from '../../../lib/core/errors/schema-issue.ts';
import type { InputShape } from '../step/action.ts';
import { metaOf, readOnce } from './input-field.ts';
import type { Environment } from '../step/step.ts';

/**
 * The environment variable in which the runner passes an input: upper case, underscores for blanks, hyphens
 * unchanged.
 */
export function inputVariable(name: string): string {
  return `INPUT_${name.replaceAll(' ', '_').toUpperCase()}`;
}

/** The inputs as the runner passes them, without empty ones. */
function rawInputs(names: readonly string[], environment: Environment): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = environment[inputVariable(name)]?.trim() ?? '';
      return value === '' ? [] : [[name, value]];
    }),
  );
}

/**
 * Reads the values of secret inputs without validating them, because they must be masked before anything is
 * printed.
 */
export function secretInputs(shape: InputShape, environment: Environment): string[] {
  const names = Object.entries(shape).filter(([, field]) => metaOf(field).secret === true);
  return Object.values(
    rawInputs(
      names.map(([name]) => name),
      environment,
    ),
  );
}

/** Reads and validates all inputs. Throws Failure 'usage' for the first invalid input, without its value. */
export function readInputs<Shape extends InputShape>(
  schema: z.ZodObject<Shape>,
  environment: Environment,
): z.output<z.ZodObject<Shape>> {
  const inputs = rawInputs(Object.keys(schema.shape), environment);
  const result = schema.safeParse(inputs, readOnce);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const input = String(issue?.path[0] ?? '');
  throw new Failure('usage', {
    message: `The input "${input}" ${issue === undefined ? 'is invalid' : describeIssue(issue, inputs[input])}.`,
    where: { input },
    hint: 'See the table of inputs in the README of the action. An expression such as ${{ secrets.NAME }} is empty if the secret does not exist. Pull requests from forks and from Dependabot get no secrets.',
  });
}

/** The message of an issue. For a missing input, the schema has its own message. */
function describeIssue(issue: z.core.$ZodIssue, value: string | undefined): string {
  return value === undefined && issue.message === 'must be given'
    ? issue.message
    : describeSchemaIssue(issue, value);
}
