import type { Via } from '../../records/audit-entry.ts';
import { statusIn } from '../../../lib/redis/scripts/lua-script.ts';
import { laneScript } from '../scripts/lane-script.ts';

interface PauseArguments {
  /** As JSON, without its id. */
  readonly pause: string;
  readonly by: string;
  readonly via: Via;
}

/** Pauses everything, a repository or an environment; answers the id, or undefined if there are too many pauses. */
export const pause = laneScript<PauseArguments, string | undefined>(
  import.meta.dirname,
  'pause.lua',
  (answer) => (statusIn('ok', 'full')(answer) === 'ok' ? answer[1] : undefined),
  { isWord: (id) => id !== undefined },
);

interface ResumeArguments {
  readonly id: string;
  readonly by: string;
  readonly via: Via;
  /** For the audit, as JSON. */
  readonly data: string;
}

/** Ends a pause; answers the promotions to advance now, or undefined if it had ended. */
export const resumePaused = laneScript<ResumeArguments, readonly string[] | undefined>(
  import.meta.dirname,
  'resume-paused.lua',
  (answer) => (statusIn('ok', 'unknown')(answer) === 'ok' ? answer.slice(1) : undefined),
  { isWord: (promotions) => promotions !== undefined },
);
