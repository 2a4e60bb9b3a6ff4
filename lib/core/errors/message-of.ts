/** The message of an error; if something else was thrown, that as text. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
