import type { Command } from 'commander';
import { Failure } from '../../lib/core/errors/failure.ts';

/**
 * Returns the failure with the place in the form that the user typed. A flow names an input as the actions do
 * (`version`); on the command line it is an option (`--version`).
 */
export function atOption(failure: Failure, { options, registeredArguments }: Command): Failure {
  const { code, message, where, hint, details, cause } = failure;
  const input = where?.input;
  if (input === undefined || registeredArguments.some((argument) => argument.name() === input))
    return failure;
  const option = options.find(({ long }) => long === `--${input}`)?.long;
  if (option === undefined || option === null) return failure;
  return new Failure(code, { message, where: { ...where, input: option }, hint, details, cause });
}
