import type * as z from 'zod';
import type { Operation } from './operation.ts';

/** The reference of all operations as Markdown (`docs/api.md`), one section each. A pure function. */
export function referenceOf(operations: readonly Operation[]): string {
  const areas = Map.groupBy(operations, ({ id }) => id.slice(0, id.indexOf('.')));
  const body = [...areas].flatMap(([area, rows]) => [`## ${area}`, ...rows.map(sectionOf)]);
  return `${[preface(operations.length), ...body].join('\n\n')}\n`;
}

function preface(count: number): string {
  return [
    '# The API, operation by operation',
    '',
    '<!-- Generated from lib/contract/operations.ts by `npm run docs`. -->',
    '',
    'After this page you can call any operation, and know its fields, its errors and whether it is safe to repeat.',
    '',
    `These are all ${count} operations of the platform's API. Call them as methods of the client (\`millrace/client\`, see [client.md](client.md)),`,
    'or as `millrace api <operation>`. A method takes one object with all fields, then, if you need them, `{ signal, timeoutMs, deadlineMs }`.',
    '',
    'Below each operation are the answers with which the platform refuses it. Every operation can also be answered 429 (too many requests) and 5xx.',
    'The source of each refusal is in parentheses: a plain § is a section of the specification, "unknowns §" one of [unknowns.md](unknowns.md).',
    '',
    '"retry" says whether the client sends the operation again after a lost answer:',
    '',
    '- `safe`: yes, the operation only reads.',
    '- `repeatable`: yes, a second request leads to the same state.',
    '- `keyed`: yes, because the platform refuses a second request for the same name. The client then compares the commits.',
    '- `once`: never. Only after 429, or if there was no connection, the client sends it again.',
  ].join('\n');
}

function sectionOf(operation: Operation): string {
  const fields = fieldsOf(operation);
  return [
    `### ${operation.id}`,
    '',
    operation.summary,
    '',
    '```ts',
    signatureOf(operation, fields),
    '```',
    '',
    `\`${operation.method} ${operation.path}\` · ${operation.section} · role \`${operation.role}\` · retry \`${operation.retry}\` · answers ${operation.status}`,
    ...(operation.answerNotShown === true
      ? ['', 'The specification does not show this answer; see [unknowns](unknowns.md).']
      : []),
    ...(fields.length === 0 ? [] : ['', ...tableOf(fields)]),
    '',
    ...operation.errors.map(({ status, when, section }) => `- ${status}: ${when} (${section})`),
  ].join('\n');
}

interface Field {
  readonly name: string;
  readonly place: string;
  readonly required: boolean;
}

function fieldsOf(operation: Operation): Field[] {
  const from = (schema: z.ZodObject, place: (name: string) => string): Field[] =>
    Object.entries(schema.shape).map(([name, field]) => ({
      name: inputNameOf(name),
      place: place(name),
      required: !field.safeParse(undefined).success,
    }));
  return [
    ...from(operation.params, () => 'path'),
    ...from(operation.query, () => 'query'),
    ...from(operation.headers, (name) => `header \`${name}\``),
    ...(operation.body.kind === 'json' ? from(operation.body.schema, () => 'body') : []),
    ...(operation.body.kind === 'multipart'
      ? [{ name: 'files', place: 'one form part each', required: true }]
      : []),
  ];
}

/** `Agent-Version` → `agentVersion`. */
function inputNameOf(name: string): string {
  const joined = name.replaceAll(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
  return joined.charAt(0).toLowerCase() + joined.slice(1);
}

function signatureOf({ id, paged }: Operation, fields: readonly Field[]): string {
  const names = fields.map(({ name, required }) => (required ? name : `${name}?`));
  const input = names.length === 0 ? '' : `{ ${names.join(', ')} }`;
  return paged === true
    ? `for await (const item of client.${id}(${input})) …`
    : `await client.${id}(${input})`;
}

function tableOf(fields: readonly Field[]): string[] {
  return [
    '| field | where | required |',
    '| --- | --- | --- |',
    ...fields.map(({ name, place, required }) => `| \`${name}\` | ${place} | ${required ? 'yes' : 'no'} |`),
  ];
}
