import type { Row } from '../measure.ts';

/** The typed client: the cost of its calls, its uploads, and the time of its import. */
export async function client(): Promise<Row[]> {
  const { clientCalls } = await import('./client-calls.ts');
  const { clientImport } = await import('./client-import.ts');
  const { clientUploads } = await import('./client-uploads.ts');
  return [...(await clientCalls()), ...(await clientUploads()), ...(await clientImport())];
}
