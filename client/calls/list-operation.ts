import type { Operation } from '../../lib/contract/description/operation.ts';
import type { Exchange } from '../interface/client.ts';
import type { CallOptions } from '../interface/client-options.ts';
import { AnswerUnreadable } from '../errors/errors.ts';
import { createPagedList, type Envelope, type PagedList } from '../interface/paged-list.ts';

type Input = Readonly<Record<string, unknown>>;

/** A call of one operation, from input to answer. */
export type Call = (operation: Operation, input: Input, options: CallOptions) => Promise<Exchange>;

/** A paged operation as a list that requests each page when it is used. */
export function listOperation(
  operation: Operation,
  call: Call,
  input: Input = {},
  options: CallOptions = {},
): PagedList<Envelope, unknown> {
  return createPagedList<Envelope, unknown>({
    firstPage: typeof input['page'] === 'number' ? input['page'] : 0,
    fetchPage: async (page) => {
      // A request without `page` returns the first page (spec §2), so the input stays unchanged.
      const requested = page === 0 ? input : { ...input, page };
      return (await call(operation, requested, options)).answer as Envelope;
    },
    wrongPage: (requested, answered) =>
      new AnswerUnreadable(
        `${operation.id}: the client asked for page ${requested} of the list, but the platform answered with page ${answered}.`,
        {
          operation: operation.id,
        },
      ),
  });
}
