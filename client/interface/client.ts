import type { AnyOperation, OperationId, OperationOf } from '../../lib/contract/operations.ts';
import type { CallOptions } from './client-options.ts';
import type { CustomRequest } from '../request/custom-request.ts';
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

/** The method of one operation; its input is optional if no field is required. */
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

/** An answer with its status, headers, request id and number of attempts. */
export interface Exchange<Answer = unknown> {
  readonly answer: Answer;
  /** 0 if no answer arrived, and the client found on the platform that the call took effect. */
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly requestId: string;
  readonly attempts: number;
}

type WithResponse<Method> = Method extends (...args: infer Args) => infer Answer
  ? (...args: Args) => Promise<Exchange<Awaited<Answer>>>
  : never;

/** The methods of `Operations`, each resolving to an `Exchange`; a list resolves to the requested page. */
export type OperationsWithResponse = {
  readonly [Area in keyof Operations]: {
    readonly [Name in keyof Operations[Area]]: WithResponse<Operations[Area][Name]>;
  };
};

/**
 * The platform's API as typed methods derived from the contract.
 *
 * Every method throws a `ClientError` (a `Failure`); `client/errors/errors.ts` lists them by condition.
 */
export interface Client extends Operations, AsyncDisposable {
  /** The address of the platform, without a slash or `/v1` at its end. */
  readonly baseUrl: string;
  /** The methods of the operations; their results add status, headers, request id and the number of attempts to the answer. */
  readonly withResponse: OperationsWithResponse;
  /**
   * Any operation by its id, for callers that get it at run time; a paged list resolves to the requested page only.
   */
  request(operationId: string, input?: Record<string, unknown>, options?: CallOptions): Promise<unknown>;
  /** An endpoint that is not in the contract, with the same authentication, attempts and limits. */
  request(custom: CustomRequest, options?: CallOptions): Promise<unknown>;
  /** Like `request`, with status, headers, request id and the number of attempts. */
  exchange(operationId: string, input?: Record<string, unknown>, options?: CallOptions): Promise<Exchange>;
  exchange(custom: CustomRequest, options?: CallOptions): Promise<Exchange>;
  /**
   * Waits until the active calls have ended, then closes the connections; may be called twice. A dispatcher from the
   * options stays open.
   */
  close(): Promise<void>;
}
