import { define, forbidden, malformed, none, noBody, unauthorized } from '../description/define.ts';
import { pageOf } from '../description/field.ts';
import { auditEntry, auditQuery } from '../resources/audit-entry.ts';

/** Audit logs (spec §4.7): a rolling 90 days, Super Admins only. */
export const audit = [
  define({
    id: 'audit.list',
    method: 'GET',
    path: '/v1/events',
    section: '§4.7',
    summary: 'Read audit entries.',
    params: none,
    query: auditQuery,
    headers: none,
    body: noBody,
    status: 200,
    answer: pageOf(auditEntry),
    paged: true,
    role: 'superAdmin',
    retry: 'safe',
    errors: [malformed, unauthorized, forbidden],
  }),
] as const;
