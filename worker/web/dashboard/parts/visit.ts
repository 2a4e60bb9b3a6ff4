import type { ApiPorts } from '../../api/operations/api-call.ts';
import type { Operator } from '../../../operators/operator.ts';

/** One visit of a page by a signed-in operator. */
export interface Visit {
  readonly operator: Operator;
  /** The token that their forms must send back. */
  readonly csrf: string;
  readonly ports: ApiPorts;
  /** Id of the page's subject; '' for none. */
  readonly id: string;
  readonly query: URLSearchParams;
  /** Path and query, as requested. */
  readonly address: string;
  /** Whether the person has gone, or was answered that it took too long. */
  readonly isDisconnected?: () => boolean;
}
