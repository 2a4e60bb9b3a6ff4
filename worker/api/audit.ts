import { repositoryOf } from '../lanes/repository-of.ts';
import { mayTouch } from '../operators/operator.ts';
import { type ApiAnswer, ok, wrong } from './answers.ts';
import { type ApiCall, limitOf } from './api-call.ts';
import { timeOf } from './time-of.ts';

const mostEntries = 500;

/** So many are looked through for one page. */
const mostSearched = 5_000;

/**
 * Who did what, newest first, as far as it concerns the operator's repositories; `lane`, `run` and `by` narrow it,
 * `before` turns the page: the `next` of the answer before.
 */
export async function listAudit(call: ApiCall): Promise<ApiAnswer> {
  const { operator, engine, query } = call;
  const before = query.get('before') ?? undefined;
  if (before !== undefined && !/^\d+-\d+$/.test(before)) return wrong('`before` is the id of an entry');
  const fits = (name: 'lane' | 'run' | 'by', value: string): boolean =>
    [null, value].includes(query.get(name));
  const searched = await engine.store.auditEntries(mostSearched, before);
  const found = searched
    .filter(({ lane }) =>
      lane === '' ? operator.repositories === 'all' : mayTouch(operator, repositoryOf(lane)),
    )
    .filter(({ lane, run, by }) => fits('lane', lane) && fits('run', run) && fits('by', by));
  const entries = found.slice(0, limitOf(call, mostEntries));
  // Behind the last entry that is shown, or, where too few were found, behind the last that was looked at.
  const more = found.length > entries.length ? entries.at(-1)?.id : undefined;
  const next = more ?? (searched.length === mostSearched ? searched.at(-1)?.id : undefined) ?? null;
  return ok({
    next,
    entries: entries.map(({ at, ...entry }) => ({ ...entry, at, time: timeOf(at) })),
  });
}
