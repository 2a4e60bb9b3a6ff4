import type { AuditEntry } from '../../records/audit-entry.ts';
import { laneScript } from './lane-script.ts';

type BeginReplayArguments = { readonly letter: string } & Pick<
  AuditEntry,
  'by' | 'via' | 'lane' | 'promotion' | 'data'
>;

/** Sets a dead letter out to be replayed, with its line in the audit; undefined where another was first. */
export const beginReplay = laneScript<BeginReplayArguments, string | undefined>(
  'begin-replay.lua',
  ([text = '']) => text || undefined,
);
