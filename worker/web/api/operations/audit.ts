import type { LaneReads } from '../../../store/lanes/lane-reads.ts';
import type { Records } from '../../../promotion/context/ports.ts';
import { repositoryOf } from '../../../store/lanes/lane-id.ts';
import type { AuditEntry } from '../../../records/audit-entry.ts';
import { mayTouch } from '../../../operators/operator.ts';
import { formatEventData } from '../../../records/history-event.ts';
import { type ApiAnswer, ok, wrong } from './answers.ts';
import { type ApiCall, limitOf } from './api-call.ts';
import { timeOf } from './time-of.ts';

const maxEntries = 500;

/** Entries searched for one page. */
const maxSearched = 5_000;

/**
 * Audit entries, newest first, of the operator's repositories. `lane`, `promotion` and `by` filter; `before` is
 * the `next` of the previous page.
 */
export async function listAudit(call: ApiCall<Records<LaneReads>>): Promise<ApiAnswer> {
  const before = call.query.get('before');
  if (before !== null && !isEntryId(before)) return wrong('`before` must be the id of an entry');
  const { entries, next } = await auditOf(call, limitOf(call, maxEntries));
  return ok({
    next,
    entries: entries.map(({ at, data, ...entry }) => ({
      ...entry,
      at: timeOf(at),
      data: formatEventData(data),
    })),
  });
}

/** Redis counts no further than this, and refuses what is before its first entry. */
const isEntryId = (text: string): boolean => /^[1-9]\d{0,18}-\d{1,19}$/.test(text);

/** Reads a page of the audit for the query, and where the next page begins. */
export async function auditOf(
  { operator, ports, query }: Pick<ApiCall<Records<LaneReads>>, 'operator' | 'ports' | 'query'>,
  limit: number,
): Promise<{ readonly entries: readonly AuditEntry[]; readonly next: string | null }> {
  const asked = query.get('before') ?? '';
  const before = isEntryId(asked) ? asked : undefined;
  const fits = (name: 'lane' | 'promotion' | 'by', value: string): boolean =>
    [null, value].includes(query.get(name));
  const searched = await ports.store.auditEntries(maxSearched, before);
  const matching = searched
    .filter(({ lane }) =>
      lane === '' ? operator.repositories === 'all' : mayTouch(operator, repositoryOf(lane)),
    )
    .filter(
      ({ lane, promotion, by }) => fits('lane', lane) && fits('promotion', promotion) && fits('by', by),
    );
  const entries = matching.slice(0, limit);
  // After the last entry shown or, if too few were found, after the last one searched.
  const more = matching.length > entries.length ? entries.at(-1)?.id : undefined;
  const next = more ?? (searched.length === maxSearched ? searched.at(-1)?.id : undefined) ?? null;
  return { entries, next };
}
