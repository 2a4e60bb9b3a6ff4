import { html } from '../../../../lib/html/markup.ts';
import { auditOf } from '../../api/operations/audit.ts';
import { nameOf, repositoryOf } from '../../../store/lanes/lane-id.ts';
import { factsIn } from '../../../records/history-event.ts';
import { table } from '../../../../lib/html/parts.ts';
import { actorText } from '../../../records/actor-text.ts';
import { exactly, placeOf } from '../parts/parts.ts';
import type { Page } from './page.ts';
import { factList } from './timeline-table.ts';

const pageSize = 100;

/** The page of the audit: who did what, and why. */
export const auditPage: Page = {
  path: '/audit',
  about: 'own',
  async show(visit) {
    const { entries, next } = await auditOf(visit, pageSize);
    const names = new Map(visit.ports.config.repositories.map(({ id, name }) => [id, name]));
    const main = html`<h1>Audit</h1>
      <p><a href="/api/export" download>Export all lanes, promotions, histories and the audit (NDJSON)</a></p>
      ${table(
        'All actions, newest first',
        entries,
        [
          { name: 'Time', kind: 'short', show: ({ at }) => exactly(at) },
          {
            name: 'Who',
            kind: 'short',
            show: ({ by, via }) => html`<b>${actorText(by, via)}</b>`,
          },
          { name: 'Action', kind: 'short', show: ({ act }) => act.replaceAll('-', ' ') },
          {
            name: 'On',
            show: ({ lane, promotion }) => [
              lane === ''
                ? null
                : html`<a href="${placeOf('lanes', lane)}">${nameOf(lane)}</a>
                    <span class="hint">${names.get(repositoryOf(lane))}</span> `,
              promotion === ''
                ? null
                : html`<a href="${placeOf('promotions', promotion)}"
                    ><code>${promotion.slice(0, 12)}</code></a
                  >`,
            ],
          },
          {
            name: 'Details',
            show: ({ data }) =>
              factsIn(data)?.some(([name]) => name === 'reason')
                ? factsIn(data)?.find(([name]) => name === 'reason')?.[1]
                : factList(data),
          },
        ],
        html`No actions yet. Each approval, hold, roll-back and retry appears here, with who did it and why.`,
      )}
      ${next === null ? null : html`<p><a class="act" href="/audit?before=${next}">Older</a></p>`}`;
    return { title: 'Audit', main };
  },
};
