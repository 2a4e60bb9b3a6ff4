import { asOperation, findOperation, type OperationId } from '../lib/contract/operations.ts';
import { validateInput } from './validate-input.ts';

/**
 * Checks the input of an operation as its method would before sending, without sending it.
 *
 * @throws {RequestInvalid} naming each field that is wrong.
 * @throws {VersionInvalid}
 */
export function checkInput(id: OperationId, input: Readonly<Record<string, unknown>>): void {
  const operation = findOperation(id);
  if (operation !== undefined) validateInput(asOperation(operation), input);
}
