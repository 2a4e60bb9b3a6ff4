import type { UploadFile } from '../../client/index.ts';
import type { Example } from './example.ts';

/** What the client's method is given for an example: its input, and the form's parts as files. */
export function clientInput({ input, request }: Example): Record<string, unknown> {
  if (request.form === undefined) return { ...input };
  const files: UploadFile[] = request.form.map(({ key, content }) => {
    const bytes = Buffer.from(content);
    return { path: key, bytes: bytes.length, open: () => bytes };
  });
  return { ...input, files };
}
