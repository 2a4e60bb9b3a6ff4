import type { Reporting } from '../../store/reports/reporting.ts';
import type { PromotionRecord } from '../../records/promotion-record.ts';
import type { WorkQueues } from '../../store/jobs/work-queues.ts';
import type { ReportRecords } from './stores/sent-updates.ts';

/** Compares the check run of a promotion on GitHub with what it should show, and sends it again if they differ. */
export type ShowAgain = (promotion: PromotionRecord) => Promise<void>;

export function createShowAgain(
  records: Pick<ReportRecords, 'write'>,
  {
    store,
    queues,
  }: { readonly store: Pick<Reporting, 'resendReport'>; readonly queues: Pick<WorkQueues, 'addReport'> },
): ShowAgain {
  return async (promotion) => {
    await records.write(promotion.id, { checkDigest: '', checkOpen: 'changed' });
    await store.resendReport(promotion);
    await queues.addReport(promotion.id, promotion.report.seq);
  };
}
