import type { Row } from '../measure.ts';

/** The typed client: what its calls cost, how its uploads do, how long it takes to import. */
export async function client(): Promise<Row[]> {
  const { clientCalls } = await import('./client-calls.ts');
  const { clientImport } = await import('./client-import.ts');
  const { clientUploads } = await import('./client-uploads.ts');
  return [...(await clientCalls()), ...(await clientUploads()), ...(await clientImport())];
}
