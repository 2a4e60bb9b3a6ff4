/** One literal request and the literal answer to it. */
export interface Example {
  readonly title: string;
  /** The operation that it is an example of. */
  readonly operation: string;
  /** Where the specification (or, as the text says, docs/unknowns.md) shows it. */
  readonly section: string;
  /** Whose token a platform is asked with. */
  readonly as: 'member' | 'admin' | 'superAdmin' | 'unknown';
  /** What is given to the client's method; an upload's files are in `request.form` only. */
  readonly input: Readonly<Record<string, unknown>>;
  readonly request: LiteralRequest;
  readonly answer: LiteralAnswer;
  /** What the client hands out, where that is not the answer's body as it came. */
  readonly reads?: unknown;
  /** The code that the client's error has, for an answer that is a refusal. */
  readonly failsWith?: string;
  /** The client refuses to send it, with this code: the request exists for the platform's sake. */
  readonly clientRefusesWith?: string;
  /** The local platform cannot be brought to this answer yet; says why. */
  readonly notOnPlatform?: string;
}

export interface LiteralRequest {
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Path and query as they are in the request line. */
  readonly target: string;
  /** Besides authorization and what HTTP itself needs; names as the specification writes them. */
  readonly headers: Readonly<Record<string, string>>;
  readonly json?: unknown;
  /** Parts of a multipart form: key and content. */
  readonly form?: readonly { readonly key: string; readonly content: string }[];
}

export interface LiteralAnswer {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Absent: an empty body. */
  readonly json?: unknown;
}
