import type { AuditEntry } from '../../records/audit-entry.ts';
import { laneScript } from '../scripts/lane-script.ts';

type BeginReplayArguments = { readonly letter: string } & Pick<
  AuditEntry,
  'by' | 'via' | 'lane' | 'promotion' | 'data'
>;

/** Starts the replay of a dead letter, with its entry in the audit; undefined if another replay was first. */
export const beginReplay = laneScript<BeginReplayArguments, string | undefined>(
  import.meta.dirname,
  'begin-replay.lua',
  ([text = '']) => text || undefined,
  // A push that is not replayed waits in the list again.
  { isWord: (letter, { lane }) => letter !== undefined && lane !== '' },
);
