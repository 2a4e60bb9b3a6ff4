import type { ReportState } from '../../store/reporting.ts';
import type { PromotionRecord } from '../../records/promotion-record.ts';

/** What GitHub is to be told about a promotion now. */
export interface StatusUpdate {
  readonly promotion: PromotionRecord;
  /** Counts what there was to say; the highest is what holds. */
  readonly seq: string;
  readonly state: ReportState;
  readonly text: string;
}

/** Whether nothing more will happen in the promotion itself. */
export function isOver({ promotion }: Pick<StatusUpdate, 'promotion'>): boolean {
  return promotion.outcome !== undefined;
}

/** The page of a promotion on the worker, where it has an address for people. */
export function promotionUrl(url: string | undefined, promotionId: string): string | undefined {
  return url === undefined ? undefined : `${url}/promotions/${promotionId}`;
}
