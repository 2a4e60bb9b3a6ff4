/** Shortens text with `…` to at most `limit` characters (UTF-16 units). */
export function shorten(text: string, limit: number): string {
  if (text.length <= limit) return text;
  // Half of a surrogate pair would become a replacement character.
  return `${text.slice(0, limit - 1).replace(/[\uD800-\uDBFF]$/u, '')}…`;
}

/** Shortens text with `…` to at most `limit` bytes in UTF-8. */
export function shortenBytes(text: string, limit: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= limit) return text;
  // In stream mode, an incomplete character at the end is dropped.
  return `${new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, limit - 3), { stream: true })}…`;
}
