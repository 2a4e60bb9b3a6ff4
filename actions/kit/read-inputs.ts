import type { z } from 'zod';
import { Failure } from '../../lib/core/failure.ts';
import { describeSchemaIssue } from '../../lib/core/schema-issue.ts';
import type { InputShape } from './action.ts';
import { metaOf } from './input-field.ts';
import type { Environment } from './step.ts';

/** The variable that the runner puts an input into: upper case, blanks to underscores, hyphens stay. */
export function inputVariable(name: string): string {
  return `INPUT_${name.replaceAll(' ', '_').toUpperCase()}`;
}

/** Inputs as the runner hands them over; empty ones count as not given. */
function rawInputs(names: readonly string[], environment: Environment): Record<string, string> {
  return Object.fromEntries(
    names.flatMap((name) => {
      const value = environment[inputVariable(name)]?.trim() ?? '';
      return value === '' ? [] : [[name, value]];
    }),
  );
}

/** Values of the inputs that are secrets, before anything is checked: they are masked first. */
export function secretInputs(shape: InputShape, environment: Environment): string[] {
  const names = Object.entries(shape).filter(([, field]) => metaOf(field).secret === true);
  return Object.values(
    rawInputs(
      names.map(([name]) => name),
      environment,
    ),
  );
}

/** Reads and checks all inputs. Failure 'usage' naming the first wrong one; its value is not repeated. */
export function readInputs<Shape extends InputShape>(
  schema: z.ZodObject<Shape>,
  environment: Environment,
): z.output<z.ZodObject<Shape>> {
  const given = rawInputs(Object.keys(schema.shape), environment);
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const input = String(issue?.path[0] ?? '');
  throw new Failure('usage', {
    message: `The input "${input}" ${issue === undefined ? 'is wrong' : wordsOf(issue, given[input])}.`,
    where: { input },
    hint: 'See the table of inputs in the README of the action. An expression such as ${{ secrets.NAME }} is empty where the secret is not there: pull requests from forks and from Dependabot get none.',
  });
}

/** A missing input has words of its own schema: it must be given. */
function wordsOf(issue: z.core.$ZodIssue, given: string | undefined): string {
  return given === undefined && issue.message === 'must be given'
    ? issue.message
    : describeSchemaIssue(issue, given);
}
