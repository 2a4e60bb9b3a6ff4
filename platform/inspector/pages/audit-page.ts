import * as z from 'zod';
import { check } from '../../refusal/guard.ts';
import { readAudit } from '../../operations/audit.ts';
import { eventsByArea } from '../../seed/event-names.ts';
import type { Page } from '../../store/page.ts';
import { html } from '../../../lib/html/markup.ts';
import { definePage } from '../parts/page.ts';
import { table, time } from '../parts/parts.ts';
import { secretsOf } from '../parts/secrets.ts';

const asked = z.strictObject({ page: z.coerce.number().int().min(0).max(1_000_000).default(0) });

const size = 50;

type Entry = ReturnType<typeof readAudit>['results'][number];

const eventOptions = Object.entries(eventsByArea).map(
  ([area, names]) =>
    html`<optgroup label="${area}">${names.map((name) => html`<option>${name}</option>`)}</optgroup>`,
);

/** The audit log as `GET /v1/events` shows it, with the names in e-mail addresses masked. */
export const auditPage = definePage<Page<Entry>>({
  path: '/audit',
  read(world, question) {
    const { page } = check(question, asked, question.query);
    const { mask } = secretsOf(world);
    const read = readAudit(world, { page, size });
    return {
      ...read,
      results: read.results.map((entry) => ({
        ...entry,
        eventDescription: mask(entry.eventDescription),
        eventSubjectName: mask(entry.eventSubjectName),
        actorEmail: mask(entry.actorEmail),
      })),
    };
  },
  title: () => 'Audit log',
  show: ({ page, results, total }) => html`
    <p class="lead">
      The entries of the last 90 days, newest first. Calls that write no entry are in the ledger.
    </p>
    ${table(
      'Audit entries',
      results,
      [
        { name: 'Time', show: ({ eventTimestamp }) => time(eventTimestamp) },
        { name: 'Event', show: ({ eventName }) => eventName },
        { name: 'What happened', show: ({ eventDescription }) => eventDescription },
        { name: 'By', show: ({ actorEmail }) => actorEmail },
      ],
      page === 0 ? 'Nothing was recorded yet.' : 'There are no more entries.',
    )}
    <h2>Record an event</h2>
    <p>
      For events that no operation of the API causes, such as a new user. They are in the log like all others.
    </p>
    <form method="post" action="/_platform/events" class="buttons" data-keep>
      <label
        >Event
        <select name="name">
          ${eventOptions}
        </select></label
      >
      <label>About <input name="subject" placeholder="optional" /></label>
      <label>What happened <input name="description" placeholder="optional" size="40" /></label>
      <button type="submit">Record</button>
    </form>
    <nav aria-label="Older and newer entries" class="pages">
      ${page > 0 ? html`<a href="/_platform/audit?page=${page - 1}" rel="prev">Newer</a>` : null}
      ${(page + 1) * size < total ? html`<a href="/_platform/audit?page=${page + 1}" rel="next">Older</a>` : null}
    </nav>
  `,
});
