import { notFoundText } from '../../../records/not-found-text.ts';

/** An answer of the operators' API. */
export interface ApiAnswer {
  readonly status: number;
  readonly body: unknown;
  /** NDJSON instead of the body: texts of whole lines. */
  readonly lines?: AsyncIterable<string>;
}

export const ok = (body: unknown, status: 200 | 202 = 200): ApiAnswer => ({ status, body });

const refusal = (status: number, error: string): ApiAnswer => ({ status, body: { error, status } });

/** The answer if the body or the query is invalid. */
export const wrong = (error: string): ApiAnswer => refusal(400, error);
export const forbidden = (error: string): ApiAnswer => refusal(403, error);
/** The answer for a subject that does not exist; the same if the operator may not access it. */
export const unknown = (): ApiAnswer => refusal(404, notFoundText);
/** The answer if the request is valid and allowed, but conflicts with the current state. */
export const conflict = (error: string): ApiAnswer => refusal(409, error);
/** The reason why a lane did not accept an operator's promotion: another change came first. */
export const laneChanged =
  'the lane has changed since you read it, so nothing was done; look at the lane again, then repeat the request';
/** The reason why a lane did not accept an operator's promotion: its lost records are not rebuilt yet. */
export const recordsLost =
  'Redis lost the records of the worker, so nothing was done; the worker rebuilds its lanes and holds them: look at the lane again, then resume it';
/** The answer if the platform was needed and could not be reached. */
export const badGateway = (error: string): ApiAnswer => refusal(502, error);
/** The answer if a newer worker has raised the format of the records. */
export const leftToNewer = (): ApiAnswer =>
  refusal(
    503,
    'a newer worker has raised the format of the records, so this worker changes nothing; repeat the request at the newer worker',
  );
/** The answer if the caller has disconnected. */
export const unavailable = (): ApiAnswer => refusal(503, 'the caller disconnected');
