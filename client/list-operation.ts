import type { Operation } from '../lib/contract/operation.ts';
import type { Exchange } from './client.ts';
import type { CallOptions } from './client-options.ts';
import { AnswerUnreadable } from './errors.ts';
import { createPagedList, type Envelope, type PagedList } from './paged-list.ts';

type Input = Readonly<Record<string, unknown>>;

/** A call of one operation, from input to answer. */
export type Call = (operation: Operation, input: Input, options: CallOptions) => Promise<Exchange>;

/** A paged operation as a list that asks for its pages when they are used. */
export function listOperation(
  operation: Operation,
  call: Call,
  input: Input = {},
  options: CallOptions = {},
): PagedList<Envelope, unknown> {
  return createPagedList<Envelope, unknown>({
    firstPage: typeof input['page'] === 'number' ? input['page'] : 0,
    fetchPage: async (page) => {
      // The first page is what a request without `page` yields (spec §2): the input goes as it was written.
      const asked = page === 0 ? input : { ...input, page };
      return (await call(operation, asked, options)).answer as Envelope;
    },
    wrongPage: (asked, answered) =>
      new AnswerUnreadable(`${operation.id}: page ${asked} was asked for, page ${answered} was answered.`, {
        operation: operation.id,
      }),
  });
}
