import type { Admission } from '../../../store/admission.ts';
import type { LaneControl } from '../../../store/lanes/lane-control.ts';
import type { LaneReads } from '../../../store/lanes/lane-reads.ts';
import type { PlatformCalls, Policy, Queues, Records } from '../../../promotion/context/ports.ts';
import type { Previews } from '../../../store/lanes/previews.ts';
import * as z from 'zod';
import { repositoryOf } from '../../../store/lanes/lane-id.ts';
import { mayTouch } from '../../../operators/operator.ts';
import { type ApiAnswer, conflict, ok, wrong } from './answers.ts';
import { type ApiCall, isGiven, textOf } from './api-call.ts';
import { type BulkAction, bulkFilter } from './bulk-filter.ts';
import { type BulkItem, bulkItems, itemsIn } from './bulk-items.ts';
import { resumeLane } from './lanes.ts';
import { retry } from './promotions.ts';
import { resolvePromotion } from './resolve-promotion.ts';

/** What a bulk action would do. `more`: the number of further items that match the filter. */
export interface BulkPreview {
  readonly action: BulkAction;
  readonly fingerprint: string;
  readonly items: readonly ReturnType<typeof withoutState>[];
  readonly more: number;
}

/** What a bulk action did, and the items that it left out. */
export interface BulkResult {
  readonly action: BulkAction;
  /** `promotion`: the new one of a retry. */
  readonly done: readonly {
    readonly id: string;
    readonly lane: string;
    readonly promotion?: string | undefined;
  }[];
  readonly left: readonly { readonly id: string; readonly lane: string; readonly reason: string }[];
}

const maxItems = 500;

/** The rest is left: the caller must see the result. */
const withinMs = 18_000;

/**
 * Lists what a bulk action would do for the filter in the query: at most 500 items, and a fingerprint. With the
 * fingerprint, the same operator can carry out exactly these items within an hour. `more`: the number of further
 * items that match.
 */
export const previewBulk =
  (action: BulkAction) =>
  async ({
    operator,
    ports,
    query,
  }: ApiCall<Records<LaneReads & Previews> & Pick<Policy, 'config'>>): Promise<ApiAnswer> => {
    const filter = bulkFilter(action, query, ports.config);
    if (typeof filter === 'string') return wrong(filter);
    const all = await bulkItems(action, filter, operator, ports);
    const items = all.slice(0, maxItems);
    const content = { action, by: operator.name, filter, items };
    const fingerprint = await ports.store.keepPreview(content);
    const more = all.length - items.length;
    return ok({ action, fingerprint, items: items.map(withoutState), more } satisfies BulkPreview);
  };

const stored = z.object({
  action: z.string(),
  by: z.string(),
  filter: z.looseObject({}),
  items: z.array(
    z.object({
      id: z.string(),
      lane: z.string(),
      state: z.string(),
      holds: z.array(z.object({ id: z.string() })).optional(),
    }),
  ),
});

/**
 * Carries out a preview, by its `fingerprint`. Each item is handled like a single action, with its own audit entry.
 * Items that have changed since, or that are refused, are in `left` with the reason.
 */
export const actInBulk =
  (action: BulkAction) =>
  async (
    call: ApiCall<Records<Admission & LaneControl & LaneReads & Previews> & PlatformCalls & Queues>,
  ): Promise<ApiAnswer> => {
    const { operator, ports } = call;
    const fingerprint = textOf(call, 'fingerprint');
    if (fingerprint === undefined) return wrong('give the `fingerprint` that the preview returned');
    if (action === 'resolve' && !isGiven(call, 'happened'))
      return wrong('set `happened` to true or false: whether the unknown step happened');
    const preview = stored.safeParse(await ports.store.preview(fingerprint));
    if (!preview.success || preview.data.action !== action || preview.data.by !== operator.name)
      return conflict(
        'the worker does not know this preview, or the preview is older than an hour: preview again',
      );
    const until = ports.clock.now() + withinMs;
    const done: BulkResult['done'][number][] = [];
    const left: BulkResult['left'][number][] = [];
    for (const item of preview.data.items) {
      const { id, lane } = item;
      const answer =
        ports.clock.now() > until || call.isDisconnected?.() === true
          ? conflict('the time for one request was used up, so nothing was done to this item; preview again')
          : await actOn(action, item, call);
      if (answer.status < 300) done.push({ id, lane, ...promotionIn(answer.body) });
      else left.push({ id, lane, reason: errorIn(answer.body) });
    }
    return ok({ action, done, left } satisfies BulkResult);
  };

/** What a person sees of an item. */
function withoutState(item: BulkItem) {
  if ('holds' in item) {
    const { state: _, ...shown } = item;
    return shown;
  }
  const { state: _, ...shown } = item;
  return shown;
}

type StoredItem = z.output<typeof stored>['items'][number];

const changed = conflict('this item has changed since the preview, so nothing was done to it; preview again');

async function actOn(
  action: BulkAction,
  { id, lane, state, holds = [] }: StoredItem,
  call: ApiCall<Records<Admission & LaneControl & LaneReads> & PlatformCalls & Queues>,
): Promise<ApiAnswer> {
  const { operator, ports, body } = call;
  if (!mayTouch(operator, repositoryOf(lane))) return changed;
  const record = await ports.store.lane(lane);
  if (record === undefined) return changed;
  const outcome = action === 'retry' ? ((await ports.store.promotion(id))?.outcome ?? '') : '';
  const filter = { cause: undefined, since: 0, outcomes: [outcome] };
  const now: readonly BulkItem[] = await itemsIn(action, record, filter, ports.store);
  if (!now.some((item) => item.id === id && item.state === state)) return changed;
  switch (action) {
    case 'resume':
      return resumeLane({
        ...call,
        id,
        body: { reason: textOf(call, 'reason'), holds: holds.map((hold) => hold.id) },
      });
    case 'resolve':
      return resolvePromotion({ ...call, id, body: { ...Object(body), fingerprint: undefined } });
    case 'retry':
      // A push that the lane accepts now is newer than what was previewed.
      return retry({ ...call, id }, record.seq);
  }
}

/** The new promotion of a retry. */
function promotionIn(body: unknown): { readonly promotion?: string | undefined } {
  return z.object({ promotion: z.string().optional() }).safeParse(body).data ?? {};
}

function errorIn(body: unknown): string {
  return z.looseObject({ error: z.string() }).safeParse(body).data?.error ?? 'refused';
}
