import type { ReportState } from '../../../store/reports/reporting.ts';
import type { PromotionRecord } from '../../../records/promotion-record.ts';

/** The state of a promotion that GitHub should show now. */
export interface StatusUpdate {
  readonly promotion: PromotionRecord;
  /** Number of the update; the highest is current. */
  readonly seq: string;
  readonly state: ReportState;
  readonly text: string;
}

/** Whether the promotion itself has ended. */
export function isOver({ promotion }: Pick<StatusUpdate, 'promotion'>): boolean {
  return promotion.outcome !== undefined;
}

/** The page of a promotion on the worker; undefined without a public address. */
export function promotionUrl(url: string | undefined, promotionId: string): string | undefined {
  return url === undefined ? undefined : `${url}/promotions/${promotionId}`;
}
