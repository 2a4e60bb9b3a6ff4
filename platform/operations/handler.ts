import type * as z from 'zod';
import type { OperationId, OperationOf } from '../../lib/contract/operations.ts';
import type { Caller } from '../world/caller.ts';
import type { Project } from '../world/project.ts';
import type { Upload } from '../upload/receive-upload.ts';
import type { World } from '../world/world.ts';

type BodyOf<Id extends OperationId> = OperationOf<Id>['body'] extends {
  readonly schema: infer Schema extends z.ZodType;
}
  ? z.output<Schema>
  : undefined;

type ProjectOf<Id extends OperationId> =
  '{projectId}' extends PathPart<OperationOf<Id>['path']> ? Project : undefined;
type PathPart<Path extends string> = Path extends `${infer Head}/${infer Tail}`
  ? Head | PathPart<Tail>
  : Path;

/** A request that is authenticated, authorized and valid. */
export interface Call<Id extends OperationId = OperationId> {
  readonly operation: Id;
  readonly params: z.output<OperationOf<Id>['params']>;
  readonly query: z.output<OperationOf<Id>['query']>;
  readonly headers: z.output<OperationOf<Id>['headers']>;
  readonly body: BodyOf<Id>;
  readonly caller: Caller;
  /** The id in the answer's header `x-request-id`. */
  readonly requestId: string;
  /** The project of the path, which the caller may see. */
  readonly project: ProjectOf<Id>;
  /** The request's path, for error bodies (§7 `instance`). */
  readonly instance: string;
  /** Receives the files of a multipart body. The caller must keep or discard them. */
  readonly receive: () => Promise<Upload>;
  /** Aborts when the caller closes the connection. Created on first use, because few handlers need it. */
  readonly signal: () => AbortSignal;
}

/** Executes one operation and returns the body of its answer. @throws Refusal */
export type Handler<Id extends OperationId> = (call: Call<Id>, world: World) => unknown;

export type Handlers = { readonly [Id in OperationId]: Handler<Id> };

/** The handlers of one area of the specification. */
export type AreaHandlers<Area extends string> = Pick<Handlers, Extract<OperationId, `${Area}.${string}`>>;
