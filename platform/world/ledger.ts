import type { EffectName } from './effect.ts';
import type { Store } from '../store/store.ts';

/** One effect, and the request that caused it. */
export interface LedgerEntry {
  /** The order of the effects. */
  readonly seq: number;
  /** ISO 8601, by the platform's clock. */
  readonly at: string;
  readonly effect: EffectName;
  readonly operation: string;
  readonly requestId: string;
  readonly project: string | null;
  readonly subject: { readonly type: string; readonly id: string; readonly name: string };
  readonly description: string;
  readonly actor: string;
}

export interface LedgerFilter {
  readonly effect?: EffectName | undefined;
  readonly operation?: string | undefined;
  readonly project?: string | undefined;
  /** The subject's id or name. */
  readonly subject?: string | undefined;
  readonly requestId?: string | undefined;
  /** Only effects after this `seq`. */
  readonly after?: number | undefined;
}

interface Row {
  readonly seq: number;
  readonly at: number;
  readonly effect: EffectName;
  readonly operation: string;
  readonly request_id: string;
  readonly project_id: string | null;
  readonly subject_type: string;
  readonly subject_id: string;
  readonly subject_name: string;
  readonly description: string;
  readonly actor_email: string;
}

/** All effects in order. Unlike the audit log (§6), nothing is left out or expires. */
export function readLedger(store: Store, filter: LedgerFilter = {}): LedgerEntry[] {
  const { effect, operation, project, subject, requestId, after = 0 } = filter;
  const conditions = [
    ['effect = ?', effect],
    ['operation = ?', operation],
    ['project_id = ?', project],
    ['? IN (subject_id, subject_name)', subject],
    ['request_id = ?', requestId],
  ] as const;
  const activeConditions = conditions.flatMap(([sql, value]) =>
    value === undefined ? [] : [{ sql, value }],
  );
  const where = ['seq > ?', ...activeConditions.map(({ sql }) => sql)].join(' AND ');
  return store
    .all<Row>(
      `SELECT * FROM effect WHERE ${where} ORDER BY seq`,
      after,
      ...activeConditions.map(({ value }) => value),
    )
    .map((row) => ({
      seq: row.seq,
      at: new Date(row.at).toISOString(),
      effect: row.effect,
      operation: row.operation,
      requestId: row.request_id,
      project: row.project_id,
      subject: { type: row.subject_type, id: row.subject_id, name: row.subject_name },
      description: row.description,
      actor: row.actor_email,
    }));
}
