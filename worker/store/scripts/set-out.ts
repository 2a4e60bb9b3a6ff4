import type { AuditEntry } from '../../records/audit-entry.ts';
import { laneScript } from './lane-script.ts';

type SetOutArguments = { readonly letter: string } & Pick<
  AuditEntry,
  'by' | 'via' | 'lane' | 'promotion' | 'data'
>;

/** Sets a dead letter out to be replayed, with its line in the audit; undefined where another was first. */
export const setOut = laneScript<SetOutArguments, string | undefined>(
  'set-out.lua',
  ([text = '']) => text || undefined,
);
