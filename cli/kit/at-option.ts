import type { Command } from 'commander';
import { Failure } from '../../lib/core/errors/failure.ts';

/**
 * The failure with the place as the user gave it: a flow names an input as the actions do (`version`), and here it is an
 * option (`--version`).
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
