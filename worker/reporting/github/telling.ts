import type { ReportState } from '../../store/reporting.ts';
import type { RunRecord } from '../../records/run-record.ts';

/** What GitHub is to be told about a run now. */
export interface Telling {
  readonly run: RunRecord;
  /** Counts what there was to say; the highest is what holds. */
  readonly seq: string;
  readonly state: ReportState;
  readonly text: string;
}

/** Whether nothing more will happen in the run itself. */
export function isOver({ run }: Pick<Telling, 'run'>): boolean {
  return run.outcome !== undefined;
}

/** The page of a run on the worker, where it has an address for people. */
export function runAddress(url: string | undefined, runId: string): string | undefined {
  return url === undefined ? undefined : `${url}/runs/${runId}`;
}
