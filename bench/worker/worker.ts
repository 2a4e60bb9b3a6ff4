import type { Row } from '../measure.ts';
import { receiver } from './receiver.ts';

/** The webhook worker. */
export async function worker(): Promise<Row[]> {
  return receiver();
}
