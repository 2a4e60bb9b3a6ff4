import { actorText } from '../../worker/records/actor-text.ts';
import { tableLines } from '../../lib/core/text/table-lines.ts';
import { auditAnswer } from './operator-answers.ts';
import { askWorker } from './operator-api.ts';
import { findTargetId } from './find-target-id.ts';
import type { Session } from '../kit/session.ts';
import { describeData } from './timeline.ts';

export interface WorkerAuditOptions {
  /** Name or id of a lane. */
  readonly lane?: string;
  readonly promotion?: string;
  readonly by?: string;
  readonly limit?: number;
  readonly before?: string;
}

/** Prints a page of the worker's own audit, newest first, and how to get the next page. */
export async function showWorkerAudit(
  session: Session,
  { lane: laneName, limit = 50, promotion, by, before }: WorkerAuditOptions,
): Promise<'passed'> {
  const lane = laneName === undefined ? undefined : await findTargetId(session, 'lane', laneName);
  const query = new URLSearchParams({ limit: String(limit) });
  for (const [name, value] of Object.entries({ lane, promotion, by, before }))
    if (value !== undefined) query.set(name, value);
  const path = `audit?${query.toString()}`;
  const { entries, next } = await askWorker(session, { method: 'GET', path }, auditAnswer);
  const rows = entries.map((entry) => [
    entry.at,
    actorText(entry.by, entry.via),
    entry.act.replaceAll('-', ' '),
    [entry.lane.split('/').at(-1), entry.promotion].filter(Boolean).join(' '),
    describeData(entry.data),
  ]);
  session.output.result({ entries, next }, [
    ...(rows.length === 0 ? ['No actions.'] : tableLines(['TIME', 'WHO', 'ACTION', 'ON', 'DETAILS'], rows)),
    ...(next === null
      ? []
      : [`For older actions, run the command again with the same filters and --before ${next}.`]),
  ]);
  return 'passed';
}
