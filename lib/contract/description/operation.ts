import type * as z from 'zod';

/**
 * What a repetition of the request may do. It decides whether a client may send the request again:
 * - `safe`: reads only;
 * - `repeatable`: a second time ends in the same state;
 * - `keyed`: creates under an immutable key, so that a second time is answered 409 and can be compared;
 * - `once`: creates or starts something, and a second time may do it again.
 */
export type RetryClass = 'safe' | 'repeatable' | 'keyed' | 'once';

/** The account role that a caller needs (spec §5). `member`: any valid credential that sees the project. */
export type Role = 'member' | 'admin' | 'superAdmin';

/** A condition under which the call is refused, from the specification (§7) or docs/unknowns.md. */
export interface ErrorCondition {
  readonly status: 400 | 401 | 403 | 404 | 409 | 410 | 429;
  readonly when: string;
  readonly section: string;
}

/** The request's body: none, one JSON value, or one form part per file whose key is the file's path (§4.3). */
export type Body =
  | { readonly kind: 'none' }
  | { readonly kind: 'json'; readonly schema: z.ZodObject }
  | { readonly kind: 'multipart' };

/** One operation of the API as data. The client, the platform, OpenAPI and the reference are derived from it. */
export interface Operation {
  /** The client's method: `<area>.<name>`. */
  readonly id: `${string}.${string}`;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With `{name}` for path parameters; a trailing slash is part of it. */
  readonly path: `/v1/${string}`;
  readonly summary: string;
  /** Where the specification describes it. */
  readonly section: string;
  readonly params: z.ZodObject;
  readonly query: z.ZodObject;
  /** Headers besides authorization and content type, by their name in the specification. */
  readonly headers: z.ZodObject;
  readonly body: Body;
  /** The documented status; readers accept any 2xx. */
  readonly status: 200 | 201 | 204;
  /** The answer's body. `undefined`: no body, or one that the specification does not show. */
  readonly answer: z.ZodType | undefined;
  /** True if the specification does not show the answer and the schema is a decision (docs/unknowns.md). */
  readonly answerNotShown?: true;
  /** True for a paged list, whose answer is the envelope of §2. */
  readonly paged?: true;
  readonly role: Role;
  readonly retry: RetryClass;
  readonly errors: readonly ErrorCondition[];
}
