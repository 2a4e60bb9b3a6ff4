import type { OperationExample } from './description/example.ts';
import type { DescribedField } from './description/field-list.ts';
import { operationReference } from './operation-reference.ts';
import type { Operation } from './description/operation.ts';

/** The reference of all operations as Markdown (`docs/api.md`), one section each. A pure function. */
export function referenceOf(
  operations: readonly Operation[],
  examples: Readonly<Record<string, OperationExample>>,
): string {
  const areas = Map.groupBy(operations, ({ id }) => id.slice(0, id.indexOf('.')));
  const body = [...areas].flatMap(([area, rows]) => [
    `## ${area}`,
    ...rows.map((operation) => sectionOf(operation, examples[operation.id] ?? {})),
  ]);
  return `${[preface(operations.length), ...body].join('\n\n')}\n`;
}

function preface(count: number): string {
  return [
    '# The API, operation by operation',
    '',
    '<!-- Generated from lib/contract/operations.ts by `npm run docs`. -->',
    '',
    'After reading this page, you can call any operation, and know its fields, its answer, its errors and whether it is safe to repeat.',
    '',
    `These are all ${count} operations of the platform's API. Call them as methods of the client (\`millrace/client\`, see [client.md](client.md)),`,
    'or as `millrace api <operation>`. A method takes one object with all fields, then, if you need them, `{ signal, timeoutMs, deadlineMs }`.',
    '`millrace api <operation> --help` shows the section of one operation on the terminal.',
    '',
    'Each operation has an example: the request without its authorization and content type, the command that sends it (its body is in `body.json`),',
    'and the answer. Lists have pages, and the first page is 0. A timestamp is ISO 8601 with an offset or `Z`. An answer may have more fields.',
    'The column "always" says whether an answer must have the field. For a field in a list or an inner object, it says whether each item must have it.',
    '',
    'Below each operation are the answers with which the platform refuses it. The platform can also answer every operation with 429 (too many requests)',
    'or 5xx. The source of each refusal is in parentheses: § is a section of the specification, and "unknowns §" is a section of [unknowns.md](unknowns.md).',
    '',
    '"retry" says whether the client sends the operation again after a lost answer:',
    '',
    '- `safe`: yes, the operation only reads.',
    '- `repeatable`: yes, a second request leads to the same state.',
    '- `keyed`: yes, because the platform refuses a second request for the same name. The client then compares the commits.',
    '- `once`: never. The client sends it again only after 429, or if there was no connection.',
  ].join('\n');
}

function sectionOf(operation: Operation, example: OperationExample): string {
  const reference = operationReference(operation, example);
  const { request, answer, exampleRequest, exampleCommand, exampleAnswer, errors } = reference;
  return [
    `### ${operation.id}`,
    '',
    operation.summary,
    '',
    '```ts',
    signatureOf(operation, request),
    '```',
    '',
    `\`${operation.method} ${operation.path}\` · ${operation.section} · role \`${operation.role}\` · retry \`${operation.retry}\` · answers ${operation.status}`,
    ...(request.length === 0 ? [] : ['', ...requestTable(request)]),
    '',
    '```http',
    ...exampleRequest,
    '```',
    '',
    '```sh',
    exampleCommand,
    '```',
    '',
    `Answer ${operation.status}${exampleAnswer === undefined ? ': no body.' : ':'}${answerNote(operation)}`,
    ...(answer.length === 0 ? [] : ['', ...answerTable(answer)]),
    ...(exampleAnswer === undefined ? [] : ['', '```json', exampleAnswer, '```']),
    '',
    ...errors.map(({ status, when, section }) => `- ${status}: ${when} (${section})`),
  ].join('\n');
}

function answerNote({ answerNotShown }: Operation): string {
  return answerNotShown === true
    ? ' The specification does not show this answer; see [unknowns](unknowns.md).'
    : '';
}

function signatureOf({ id, paged }: Operation, fields: readonly DescribedField[]): string {
  const names = fields
    .filter(({ name }) => !/[.[]/.test(name))
    .map(({ name, required }) => (required ? name : `${name}?`));
  const input = names.length === 0 ? '' : `{ ${names.join(', ')} }`;
  return paged === true
    ? `for await (const item of client.${id}(${input})) …`
    : `await client.${id}(${input})`;
}

function requestTable(fields: readonly DescribedField[]): string[] {
  return [
    '| field | where | type | required | notes |',
    '| --- | --- | --- | --- | --- |',
    ...fields.map(({ name, place, type, required, note }) =>
      row([code(name), place.replace(/^header (.+)$/, 'header `$1`'), code(type), yesOrNo(required), note]),
    ),
  ];
}

function answerTable(fields: readonly DescribedField[]): string[] {
  return [
    '| field | type | always | notes |',
    '| --- | --- | --- | --- |',
    ...fields.map(({ name, type, required, note }) => row([code(name), code(type), yesOrNo(required), note])),
  ];
}

const yesOrNo = (is: boolean): string => (is ? 'yes' : 'no');
const code = (text: string): string => `\`${text}\``;

function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => cell.replaceAll('|', String.raw`\|`)).join(' | ')} |`;
}
