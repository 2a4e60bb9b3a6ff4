import type * as z from 'zod';
import type { Body } from '../../lib/contract/description/operation.ts';
import type { AnyOperation } from '../../lib/contract/operations.ts';
import type { UploadFile } from '../request/upload-file.ts';

/** `Agent-Version` → `agentVersion`: how a header's name is written in the input of a method. */
export type CamelCase<Name extends string> = Name extends `${infer Head}-${infer Tail}`
  ? `${Uncapitalize<Head>}${Capitalize<CamelCase<Tail>>}`
  : Uncapitalize<Name>;

type Fields<Schema> =
  Schema extends z.ZodObject<infer Shape> ? (keyof Shape extends never ? unknown : z.input<Schema>) : unknown;

type HeaderFields<Schema> =
  unknown extends Fields<Schema>
    ? unknown
    : { [Name in keyof Fields<Schema> as CamelCase<Name & string>]: Fields<Schema>[Name] };

type BodyFields<Content extends Body> = Content extends { kind: 'json'; schema: infer Schema }
  ? Fields<Schema>
  : Content extends { kind: 'multipart' }
    ? { files: readonly UploadFile[] }
    : unknown;

type Flat<Input> = { [Name in keyof Input]: Input[Name] };

/** One flat object: path, query, header and body fields of an operation together. */
export type InputOf<Row extends AnyOperation> = Flat<
  Fields<Row['params']> & Fields<Row['query']> & HeaderFields<Row['headers']> & BodyFields<Row['body']>
>;

/** The result of a call: the answer's body, `undefined` if there is none. */
export type AnswerOf<Row extends AnyOperation> = Row['answer'] extends z.ZodType
  ? z.output<Row['answer']>
  : undefined;

/** One item of a paged list. */
export type ItemOf<Row extends AnyOperation> =
  AnswerOf<Row> extends { results: readonly (infer Item)[] } ? Item : never;
