import { type Datum, RecordValue } from '../../expressions/datum.ts';
import { expressionScope, variableRecord } from '../../parameters/expression-scope.ts';
import type { ParameterReader } from '../../parameters/parameter-reader.ts';
import type { Frame, Result } from './run.ts';

/** Creates a reader for the parameters of a component that starts at the time `now`. */
export function componentReader(frame: Frame, now: number): ParameterReader {
  return readerWith(frame, now, systemEntries(frame));
}

/**
 * Creates a reader for parameters that are evaluated after the component has ended. In these, `sysvar` also contains
 * the component's result.
 */
export function resultReader(frame: Frame, now: number, result: Result): ParameterReader {
  const thisComponent = new RecordValue([
    ['rowCount', result.details?.rowsWritten ?? 0],
    ['message', result.message],
    ['status', result.status === 'success' ? 'SUCCESS' : 'FAILED'],
  ]);
  const entries = systemEntries(frame);
  entries.push(['thisComponent', thisComponent]);
  if (result.called !== undefined) {
    entries.push(['childPipeline', new RecordValue([['vars', variableRecord(result.called)]])]);
  }
  return readerWith(frame, now, entries);
}

function readerWith(
  { document, variables }: Frame,
  now: number,
  entries: readonly (readonly [string, Datum])[],
): ParameterReader {
  const scope = expressionScope(variables, { now, sysvar: new RecordValue(entries) });
  return { source: document.source, variables, scope };
}

function systemEntries({ run: { request } }: Frame): [string, Datum][] {
  return [
    ['project', new RecordValue([['id', request.projectId ?? '']])],
    ['environment', new RecordValue([['name', request.environment]])],
    ['rootPipeline', new RecordValue([['executionId', request.id]])],
  ];
}
