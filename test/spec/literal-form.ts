import type { LiteralRequest } from './example.ts';

/** A multipart form as spec §4.3 describes it, byte for byte. */
export function literalForm(parts: NonNullable<LiteralRequest['form']>, boundary: string): string {
  const written = parts.map(
    ({ key, content }) =>
      `--${boundary}\r\n` +
      `Content-Disposition: form-data; name="${key}"; filename="${key.split('/').at(-1)}"\r\n` +
      `Content-Type: text/plain\r\n\r\n${content}\r\n`,
  );
  return `${written.join('')}--${boundary}--\r\n`;
}
