import { auditPage } from './audit-page.ts';
import { deadLettersPage } from './dead-letters-page.ts';
import { deliveriesPage } from './deliveries-page.ts';
import { lanePage } from './lane-page.ts';
import { overviewPage } from './overview-page.ts';
import type { Page } from './page.ts';
import { promotionPage } from './promotion-page.ts';
import { promotionsPage } from './promotions-page.ts';

/** All pages except the confirmation pages of actions. */
export const pages: readonly Page[] = [
  overviewPage,
  lanePage,
  promotionsPage,
  promotionPage,
  deliveriesPage,
  deadLettersPage,
  auditPage,
];
