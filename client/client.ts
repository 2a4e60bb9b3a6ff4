import type { AnyOperation, OperationId, OperationOf } from '../lib/contract/operations.ts';
import type { CallOptions } from './client-options.ts';
import type { CustomRequest } from './custom-request.ts';
import type { AnswerOf, InputOf, ItemOf } from './operation-input.ts';
import type { PagedList } from './paged-list.ts';

type AreaOf<Id extends string> = Id extends `${infer Area}.${string}` ? Area : never;
type NamesIn<Area extends string> = OperationId extends infer Id
  ? Id extends `${Area}.${infer Name}`
    ? Name
    : never
  : never;

type Result<Row extends AnyOperation> = Row extends { paged: true }
  ? PagedList<AnswerOf<Row>, ItemOf<Row>>
  : Promise<AnswerOf<Row>>;

/** The method of one operation; its input may be left out where no field is required. */
export type MethodOf<Row extends AnyOperation> =
  Partial<InputOf<Row>> extends InputOf<Row>
    ? (input?: InputOf<Row>, options?: CallOptions) => Result<Row>
    : (input: InputOf<Row>, options?: CallOptions) => Result<Row>;

/** All operations of the contract, as `client.<area>.<name>`. */
export type Operations = {
  readonly [Area in AreaOf<OperationId>]: {
    readonly [Name in NamesIn<Area>]: MethodOf<OperationOf<Extract<OperationId, `${Area}.${Name}`>>>;
  };
};

/** An answer together with what the wire said about it. */
export interface Exchange<Answer = unknown> {
  readonly answer: Answer;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly requestId: string;
  readonly attempts: number;
}

type WithResponse<Method> = Method extends (...args: infer Args) => infer Answer
  ? (...args: Args) => Promise<Exchange<Awaited<Answer>>>
  : never;

/** The same methods, each answering together with what the wire said; a list gives the page that was asked for. */
export type OperationsWithResponse = {
  readonly [Area in keyof Operations]: {
    readonly [Name in keyof Operations[Area]]: WithResponse<Operations[Area][Name]>;
  };
};

/**
 * The platform's API as typed methods derived from the contract.
 *
 * Every method throws a `ClientError` (a `Failure`); `client/errors.ts` lists them by condition.
 */
export interface Client extends Operations, AsyncDisposable {
  /** All methods again, with status, headers, request id and the number of attempts beside the answer. */
  readonly withResponse: OperationsWithResponse;
  /** Any operation by its id, for callers that learn it at run time; a paged list yields the asked page only. */
  request(operationId: string, input?: Record<string, unknown>, options?: CallOptions): Promise<unknown>;
  /** An endpoint that the contract does not know, with the same authentication, attempts and limits. */
  request(custom: CustomRequest, options?: CallOptions): Promise<unknown>;
  /** As `request`, with status, headers, request id and the number of attempts. */
  exchange(operationId: string, input?: Record<string, unknown>, options?: CallOptions): Promise<Exchange>;
  exchange(custom: CustomRequest, options?: CallOptions): Promise<Exchange>;
  /** Lets calls under way end, then closes the connections; a second time does no harm. A dispatcher that was passed in stays open. */
  close(): Promise<void>;
}
