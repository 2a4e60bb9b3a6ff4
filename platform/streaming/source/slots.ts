import { setTimeout as delay } from 'node:timers/promises';
import type { Connection, Row } from './connection.ts';
import { positionOf } from './positions.ts';
import type { SlotState } from './source.ts';
import { SourceFailure } from './source.ts';

/** The fields that later versions added are read as JSON, where they may be absent. */
const slotFields = `slot_name, active, active_pid, wal_status, confirmed_flush_lsn,
  to_jsonb(s) ->> 'invalidation_reason' AS invalidation_reason, to_jsonb(s) ->> 'conflicting' AS conflicting,
  pg_wal_lsn_diff(CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END,
    confirmed_flush_lsn) AS behind
FROM pg_replication_slots s
WHERE slot_type = 'logical' AND database = current_database()`;

/** Lists the slots of the database whose names begin with the prefix. */
export async function listSlots(connection: Connection, prefix: string): Promise<readonly SlotState[]> {
  const rows = await connection.query(
    `SELECT ${slotFields} AND starts_with(slot_name, $1) ORDER BY slot_name`,
    { values: [prefix] },
  );
  return rows.map(slotOf);
}

/** Finds one slot, also on a replication connection; undefined if it does not exist. */
export async function findSlot(connection: Connection, slot: string): Promise<SlotState | undefined> {
  const [row] = await connection.query(
    `SELECT ${slotFields} AND slot_name = '${slot.replaceAll("'", "''")}'`,
  );
  return row === undefined ? undefined : slotOf(row);
}

function slotOf(row: Row): SlotState {
  return {
    name: row['slot_name'] ?? '',
    isActive: row['active'] === 't',
    lost: lostReason(row),
    behindBytes: BigInt(row['behind'] ?? '0'),
    confirmed: positionOf(row['confirmed_flush_lsn'] ?? '0/0'),
  };
}

const reasons: Readonly<Record<string, string | undefined>> = {
  wal_removed: 'the server removed the log that it needs, which exceeded max_slot_wal_keep_size',
  rows_removed: 'the server removed rows of the catalog that it needs',
  wal_level_insufficient: 'the wal_level of the server was lowered',
  idle_timeout: 'it was not used for longer than idle_replication_slot_timeout',
};

function lostReason(row: Row): string | undefined {
  const { invalidation_reason: reason, wal_status: status, conflicting } = row;
  if (reason !== null && reason !== undefined) return reasons[reason] ?? reason;
  if (status === 'lost') return reasons['wal_removed'];
  return conflicting === 't' || conflicting === 'true' ? reasons['rows_removed'] : undefined;
}

/** How long a connection that just ended may still have the slot. */
const leaveMs = 5000;

export async function dropSlot(connection: Connection, slot: string): Promise<void> {
  const deadline = Date.now() + leaveMs;
  for (;;) {
    if ((await findSlot(connection, slot)) === undefined) return;
    try {
      await connection.query('SELECT pg_drop_replication_slot($1)', { values: [slot], attempt: { slot } });
      return;
    } catch (error) {
      if (!(error instanceof SourceFailure && error.isTransient && connection.isOpen)) throw error;
      if (Date.now() > deadline) throw error;
    }
    await delay(50);
  }
}
