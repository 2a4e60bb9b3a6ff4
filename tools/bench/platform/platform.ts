import type { Row } from '../measure.ts';

/** The local platform: the cost of its lists, the time of its start, and a large upload. */
export async function platform(): Promise<Row[]> {
  const { platformLists } = await import('./platform-lists.ts');
  const { platformStart } = await import('./platform-start.ts');
  const { platformUpload } = await import('./platform-upload.ts');
  return [...(await platformLists()), ...(await platformStart()), ...(await platformUpload())];
}
