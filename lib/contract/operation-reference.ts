import type { OperationExample } from './description/example.ts';
import { answerFields, type DescribedField, requestFields } from './description/field-list.ts';
import type { ErrorCondition, Operation } from './description/operation.ts';

/** The reference of one operation, for the page and for the help of the command. */
export interface OperationReference {
  readonly operation: Operation;
  readonly request: readonly DescribedField[];
  readonly answer: readonly DescribedField[];
  /** The example's request: request line, headers and body, without authorization and content type. */
  readonly exampleRequest: readonly string[];
  /** The command line that sends the example; its project comes from the settings. */
  readonly exampleCommand: string;
  /** The example's answer as JSON; undefined: no body. */
  readonly exampleAnswer: string | undefined;
  readonly errors: readonly ErrorCondition[];
}

export function operationReference(operation: Operation, example: OperationExample): OperationReference {
  return {
    operation,
    request: requestFields(operation),
    answer: answerFields(operation),
    exampleRequest: requestOf(operation, example),
    exampleCommand: commandOf(operation, example),
    exampleAnswer: example.answer === undefined ? undefined : json(example.answer),
    errors: operation.errors,
  };
}

/** The path and query of a call, as in the request line. */
export function targetOf({ path }: Operation, { params = {}, query = {} }: OperationExample): string {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(params[name] ?? ''));
  const pairs = Object.entries(query).map(([name, value]) => `${name}=${encodeURIComponent(String(value))}`);
  return pairs.length === 0 ? filled : `${filled}?${pairs.join('&')}`;
}

function requestOf(operation: Operation, example: OperationExample): string[] {
  const { headers = {}, body, files = [] } = example;
  return [
    `${operation.method} ${targetOf(operation, example)}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(body === undefined ? [] : ['', ...json(body).split('\n')]),
    ...(files.length === 0 ? [] : ['', ...files.map((file) => `(form part) ${file}`)]),
  ];
}

function commandOf(
  { id }: Operation,
  { params, query, headers, body, files = [] }: OperationExample,
): string {
  const { projectId: _, ...named } = { ...params, ...query, ...headers };
  return [
    `millrace api ${id}`,
    ...Object.entries(named).map(([name, value]) => `--param ${quoted(`${name}=${value}`)}`),
    ...(body === undefined ? [] : ['--body body.json']),
    ...files.map((file) => `--file ${quoted(file)}`),
  ].join(' ');
}

/** The word, quoted for a POSIX shell if a shell would change it. */
function quoted(word: string): string {
  return /^[\w./:=@%+-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

function json(value: unknown): string {
  return JSON.stringify(value, null, 2);
}
