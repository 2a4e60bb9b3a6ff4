import type { Row } from '../measure.ts';
import { killed } from './killed.ts';
import { limited } from './limited.ts';
import { manyPromotions } from './many-promotions.ts';
import { polls } from './polls.ts';
import { receiver } from './receiver.ts';
import { wholePromotion } from './whole-promotion.ts';

/** The webhook worker; its parts are measured one after the other, never at the same time. */
export async function worker(): Promise<Row[]> {
  const rows: Row[] = [];
  for (const part of [receiver, polls, limited, killed, wholePromotion, manyPromotions])
    rows.push(...(await part()));
  return rows;
}
