/** What a call of the operators' API is answered. */
export interface ApiAnswer {
  readonly status: number;
  readonly body: unknown;
}

export const ok = (body: unknown, status: 200 | 202 = 200): ApiAnswer => ({ status, body });

const refusal = (status: number, error: string): ApiAnswer => ({ status, body: { error, status } });

/** The body or the query lacks something. */
export const wrong = (error: string): ApiAnswer => refusal(400, error);
export const forbidden = (error: string): ApiAnswer => refusal(403, error);
/** The same for what is not there and for what is none of the operator's business. */
export const unknown = (): ApiAnswer => refusal(404, 'no such thing');
/** It is understood and allowed, and the answer is no. */
export const conflict = (error: string): ApiAnswer => refusal(409, error);
/** The platform was needed for the answer and could not be asked. */
export const badGateway = (error: string): ApiAnswer => refusal(502, error);
/** For whoever is there to read it. */
export const unavailable = (): ApiAnswer => refusal(503, 'nobody waited for it any more');
