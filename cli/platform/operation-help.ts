import type { OperationExample } from '../../lib/contract/description/example.ts';
import type { DescribedField } from '../../lib/contract/description/field-list.ts';
import type { Operation } from '../../lib/contract/description/operation.ts';
import { operationReference } from '../../lib/contract/operation-reference.ts';
import { tableLines } from '../../lib/core/text/table-lines.ts';

/** The help of `millrace api <operation>`: what docs/api.md says about the operation, as lines for a terminal. */
export function operationHelp(operation: Operation, example: OperationExample, program: string): string[] {
  const reference = operationReference(operation, example);
  const { request, answer, exampleRequest, exampleCommand, exampleAnswer, errors } = reference;
  const { status } = operation;
  return [
    `Usage: ${program} api ${operation.id} [options]`,
    '',
    operation.summary,
    '',
    `${operation.method} ${operation.path}`,
    `${operation.section}, role ${operation.role}, retry ${operation.retry}`,
    ...titled('Fields of the request:', requestTable(request)),
    ...titled('Example request:', exampleRequest),
    ...titled('Sent by:', [exampleCommand.replace(/^millrace(?= )/, program)]),
    ...titled(
      `Fields of the answer${operation.answerNotShown === true ? ' (the specification does not show it)' : ''}:`,
      answerTable(answer),
    ),
    ...titled(`Example answer, ${status}:`, exampleAnswer?.split('\n') ?? ['(no body)']),
    ...titled(
      'Refusals:',
      errors.map((error) => `${error.status}  ${error.when} (${error.section})`),
    ),
    '',
    `The options are the options of \`${program} api --help\`; all operations are in docs/api.md.`,
  ];
}

function titled(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', title, ...lines.map((line) => (line === '' ? '' : `  ${line}`))];
}

function requestTable(fields: readonly DescribedField[]): string[] {
  if (fields.length === 0) return [];
  return tableLines(
    ['FIELD', 'WHERE', 'REQUIRED', 'TYPE', ''],
    fields.map((field) => [field.name, field.place, yesOrNo(field.required), field.type, field.note]),
  );
}

function answerTable(fields: readonly DescribedField[]): string[] {
  if (fields.length === 0) return [];
  return tableLines(
    ['FIELD', 'ALWAYS', 'TYPE', ''],
    fields.map((field) => [field.name, yesOrNo(field.required), field.type, field.note]),
  );
}

const yesOrNo = (is: boolean): string => (is ? 'yes' : 'no');
