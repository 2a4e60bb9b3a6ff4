import type { Row } from '../measure.ts';

/** The local platform: what its lists cost, how long it takes to start, how a large upload does. */
export async function platform(): Promise<Row[]> {
  const { platformLists } = await import('./platform-lists.ts');
  const { platformStart } = await import('./platform-start.ts');
  const { platformUpload } = await import('./platform-upload.ts');
  return [...(await platformLists()), ...(await platformStart()), ...(await platformUpload())];
}
