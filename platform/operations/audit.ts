import { type PageQuery, readPage } from '../store/page.ts';
import type { World } from '../world/world.ts';
import type { AreaHandlers } from './handler.ts';

interface Row {
  readonly id: string;
  readonly at: number;
  readonly event: string;
  readonly operation: string;
  readonly project_id: string | null;
  readonly subject_type: string;
  readonly subject_id: string;
  readonly subject_name: string;
  readonly description: string;
  readonly actor_id: string;
  readonly actor_email: string;
}

/** Older entries are not available (spec §6, §8). */
const windowMs = 90 * 24 * 60 * 60 * 1000;

/** The audit log, newest entry first: the effects that have an event name in §6 (spec §4.7, §6). */
export const audit: AreaHandlers<'audit'> = {
  'audit.list': ({ query }, world) => readAudit(world, query),
};

interface Period extends PageQuery {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

export function readAudit(world: World, query: Period) {
  const now = world.clock.now();
  const earliest = now - windowMs;
  const from = query.from === undefined ? earliest : Math.max(Date.parse(query.from), earliest);
  // An event of the seed may lie in the future: it appears when its time has come.
  const to = query.to === undefined ? now : Math.min(Date.parse(query.to), now);
  return readPage(
    world.store,
    query,
    {
      sql: 'SELECT * FROM effect WHERE event IS NOT NULL AND at >= ? AND at <= ? ORDER BY at DESC, seq DESC',
      values: [from, to],
    },
    show,
  );
}

function show(row: Row) {
  return {
    eventId: row.id,
    eventName: row.event,
    eventType: row.event.toUpperCase().replaceAll(' ', '_'),
    eventDescription: row.description,
    eventTimestamp: new Date(row.at).toISOString(),
    eventProjectId: row.project_id,
    eventSource: 'API',
    eventSubjectId: row.subject_id,
    eventSubjectName: row.subject_name,
    eventSubjectType: row.subject_type,
    actorId: row.actor_id,
    actorEmail: row.actor_email,
    additionalInfo: row.operation,
  };
}
