import { asOperation, findOperation, type OperationId } from '../../lib/contract/operations.ts';
import { validateInput } from './validate-input.ts';

/**
 * Validates the input of an operation as its method does before it sends, but sends nothing.
 *
 * @throws {RequestInvalid} naming each field that is wrong.
 * @throws {VersionInvalid}
 */
export function validateOperationInput(id: OperationId, input: Readonly<Record<string, unknown>>): void {
  const operation = findOperation(id);
  if (operation !== undefined) validateInput(asOperation(operation), input);
}
