import * as z from 'zod';
import { check } from '../../refusal/guard.ts';
import { effectNames } from '../../world/effect.ts';
import { type LedgerEntry, readLedger } from '../../world/ledger.ts';
import { html } from '../../../lib/html/markup.ts';
import { definePage } from '../parts/page.ts';
import { table, time } from '../parts/parts.ts';
import { secretsOf } from '../parts/secrets.ts';

const name = z.string().min(1).optional();

const asked = z.strictObject({
  effect: z.enum(effectNames).optional(),
  operation: name,
  project: name,
  subject: name,
  requestId: name,
  after: z.coerce.number().int().min(0).optional(),
});

const shown = 200;

/** The page of what really happened, whatever answer the callers got, with the names in e-mail addresses masked. */
export const ledgerPage = definePage<{ readonly effects: readonly LedgerEntry[] }>({
  path: '/ledger',
  read(world, question) {
    const { mask } = secretsOf(world);
    return {
      effects: readLedger(world.store, check(question, asked, question.query)).map((entry) => ({
        ...entry,
        subject: { ...entry.subject, name: mask(entry.subject.name) },
        description: mask(entry.description),
        actor: mask(entry.actor),
      })),
    };
  },
  title: () => 'Ledger',
  show: ({ effects }) => html`
    <p class="lead">
      Every effect, newest first, by the request that had it. A request that changed nothing has no entry.
    </p>
    ${
      effects.length > shown
        ? html`<p class="note">The newest ${shown} of ${effects.length}; the JSON has all of them.</p>`
        : null
    }
    ${table(
      'Effects',
      effects.slice(-shown).toReversed(),
      [
        { name: 'No.', kind: 'number', show: ({ seq }) => seq },
        { name: 'Time', show: ({ at }) => time(at) },
        { name: 'Effect', show: ({ effect }) => effect },
        { name: 'What changed', show: ({ description }) => description },
        {
          name: 'Request',
          kind: 'wide',
          show: ({ operation, requestId }) =>
            html`<a href="/_platform/requests/${encodeURIComponent(requestId)}">${operation}</a>`,
        },
      ],
      'Nothing has changed yet.',
    )}
  `,
});
