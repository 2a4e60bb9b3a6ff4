/** The body as text; `undefined` when it is longer than `maxBytes`. Then the rest is not read. */
export async function readLimited(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  // Leaving the loop early destroys the stream, and its connection with it.
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > maxBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, bytes)
    .toString('utf8')
    .replace(/^\uFEFF/, '');
}
