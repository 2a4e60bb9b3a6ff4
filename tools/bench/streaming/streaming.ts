import type { Row } from '../measure.ts';
import { changesPerSecond } from './changes.ts';
import { lag } from './lag.ts';
import { largeTransaction } from './large-transaction.ts';
import { snapshot } from './snapshot.ts';

/** Streaming pipelines; the parts are measured one after the other, never at the same time. */
export async function streaming(): Promise<Row[]> {
  return [
    ...(await changesPerSecond('COPY_TABLE')),
    ...(await changesPerSecond('CHANGE_LOG')),
    ...(await snapshot()),
    ...(await lag()),
    ...(await largeTransaction()),
  ];
}
