import type { Content } from '../../../../lib/html/markup.ts';
import type { Route } from '../../api/routes.ts';
import type { Visit } from '../parts/visit.ts';

/** A page of the dashboard. */
export interface Page {
  readonly path: string;
  /** As in the operators' API. */
  readonly about: Route['about'];
  readonly show: (visit: Visit) => Promise<{ readonly title: string; readonly main: Content } | undefined>;
}
