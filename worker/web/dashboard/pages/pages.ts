import { auditPage } from './audit-page.ts';
import { deadLettersPage } from './dead-letters-page.ts';
import { deliveriesPage } from './deliveries-page.ts';
import { lanePage } from './lane-page.ts';
import { overviewPage } from './overview-page.ts';
import type { Page } from './page.ts';
import { promotionPage } from './promotion-page.ts';
import { promotionsPage } from './promotions-page.ts';

/** The whole of it, beside the pages that ask before an act. */
export const pages: readonly Page[] = [
  overviewPage,
  lanePage,
  promotionsPage,
  promotionPage,
  deliveriesPage,
  deadLettersPage,
  auditPage,
];
