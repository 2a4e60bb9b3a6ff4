import { describeLane, type LaneFactsPorts } from './describe-lane.ts';
import type { ExportReads, Span } from '../../../store/lanes/export-reads.ts';
import type { LiveVersions, Policy, Records, Timing } from '../../../promotion/context/ports.ts';
import type { LaneReads } from '../../../store/lanes/lane-reads.ts';
import type { Pauses } from '../../../store/gates/pauses.ts';
import { version } from '../../../../lib/core/values/version.ts';
import { mayTouch } from '../../../operators/operator.ts';
import { formatEventData, type HistoryEvent } from '../../../records/history-event.ts';
import { recordFormat } from '../../../records/record-format.ts';
import { repositoryOf } from '../../../store/lanes/lane-id.ts';
import { type ApiAnswer, wrong } from './answers.ts';
import type { ApiCall } from './api-call.ts';
import { describePromotion } from './describe-promotion.ts';
import { timeOf } from './time-of.ts';

/** What the export takes. */
type ExportPorts = LaneFactsPorts & Records<ExportReads>;

/**
 * All records of the operator's repositories as NDJSON: lanes, promotions, their histories, the audit. `since`: only events and
 * audit entries since then, and the promotions that they are about. The last line says that nothing is missing.
 */
export async function exportRecords(call: ApiCall<ExportPorts>): Promise<ApiAnswer> {
  const sinceText = call.query.get('since') ?? '';
  const since = sinceText === '' ? 0 : sinceIn(sinceText);
  if (since === undefined) return wrong('`since` must be a time such as 2026-01-31T08:00:00Z');
  const until = await call.ports.store.redisTime();
  return { status: 200, body: undefined, lines: linesOf(call, { since, until }) };
}

/** The time in ISO 8601 with an offset, in milliseconds since the epoch. */
function sinceIn(text: string): number | undefined {
  const ms = Date.parse(text);
  return /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:\d\d)$/.test(text) && ms >= 0 ? ms : undefined;
}

type ExportedType = 'lane' | 'promotion' | 'event' | 'audit';

async function* linesOf(call: ApiCall<ExportPorts>, span: Span): AsyncGenerator<string> {
  const counts = { lane: 0, promotion: 0, event: 0, audit: 0 };
  const { since, until } = span;
  const isWhole = since === 0;
  yield line('export', {
    format: recordFormat,
    millrace: version,
    since: isWhole ? null : timeOf(since),
    until: timeOf(until),
  });
  for (const part of [lanes, promotions, audit]) {
    for await (const page of part(call, span)) {
      for (const [type] of page) counts[type] += 1;
      yield page.map(([type, fields]) => line(type, fields)).join('');
    }
  }
  const { lane, promotion, event, audit: entries } = counts;
  yield line('end', { lanes: lane, promotions: promotion, events: event, audit: entries });
}

type Exported = readonly [type: ExportedType, fields: object];

const line = (type: string, fields: object): string => `${JSON.stringify({ type, ...fields })}\n`;

async function* lanes(
  {
    operator,
    ports,
  }: ApiCall<
    Records<ExportReads & LaneReads & Pauses> &
      Pick<Policy, 'config'> &
      Pick<Timing, 'clock'> &
      Pick<LiveVersions, 'live'>
  >,
  span: Span,
): AsyncGenerator<readonly Exported[]> {
  for (const id of await ports.store.laneIds()) {
    const lane = mayTouch(operator, repositoryOf(id)) ? await ports.store.lane(id) : undefined;
    if (lane === undefined) continue;
    // Promotions have lines of their own.
    const { active, last, indeterminate, ...described } = await describeLane(lane, ports);
    const indeterminateIds = indeterminate.map((promotion) => promotion.id);
    yield [
      [
        'lane',
        { ...described, active: active?.id ?? null, last: last?.id ?? null, indeterminate: indeterminateIds },
      ],
    ];
    yield* events({ lane: id }, ports.store.laneHistory(id, span));
  }
}

async function* promotions(
  {
    operator,
    ports,
  }: ApiCall<Records<ExportReads & LaneReads> & Pick<Policy, 'config'> & Pick<Timing, 'clock'>>,
  span: Span,
): AsyncGenerator<readonly Exported[]> {
  const { store } = ports;
  for await (const ids of store.promotionPages()) {
    const changed = span.since === 0 ? undefined : await store.haveChanged(ids, span.since);
    for (const [i, id] of ids.entries()) {
      const promotion = changed?.[i] === false ? undefined : await store.promotion(id);
      if (promotion === undefined || !mayTouch(operator, promotion.task.repository.id)) continue;
      const lane = await store.lane(promotion.lane);
      yield [['promotion', describePromotion(promotion, lane, ports)]];
      yield* events({ promotion: id }, store.promotionHistory(id, span));
    }
  }
}

async function* events(
  of: { readonly lane: string } | { readonly promotion: string },
  pages: AsyncIterable<readonly HistoryEvent[]>,
): AsyncGenerator<readonly Exported[]> {
  for await (const page of pages)
    yield page.map(({ at, what, data }) => [
      'event',
      { ...of, at: timeOf(at), what, data: formatEventData(data) },
    ]);
}

async function* audit(
  { operator, ports }: ApiCall<Records<ExportReads>>,
  span: Span,
): AsyncGenerator<readonly Exported[]> {
  for await (const page of ports.store.auditPages(span))
    yield page
      .filter(({ lane }) =>
        lane === '' ? operator.repositories === 'all' : mayTouch(operator, repositoryOf(lane)),
      )
      .map(({ at, data, ...entry }) => ['audit', { ...entry, at: timeOf(at), data: formatEventData(data) }]);
}
