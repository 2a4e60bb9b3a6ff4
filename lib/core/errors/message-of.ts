/** The message of an error; if something else was thrown, that as text. */
export function messageOf(error: unknown): string {
  return errorOf(error).message;
}

/** The error itself; if something else was thrown, an error with that as its message. */
export function errorOf(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error));
}
