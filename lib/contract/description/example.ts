/** One call of an operation, as literal values, without what the client adds (authorization, content type). */
export interface OperationExample {
  /** Path parameters. */
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  /** Headers by their names in the specification. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
  /** The keys of a multipart form: paths relative to the project root. */
  readonly files?: readonly string[];
  /** The body of the answer; absent: no body. */
  readonly answer?: unknown;
}

/** One example for each of these operations. */
export type ExamplesOf<Row extends { readonly id: string }> = Readonly<Record<Row['id'], OperationExample>>;
