import type { Operator } from '../../../operators/operator.ts';
import type { Engine } from '../../../promotion/context/engine.ts';

/** One authorized visit of a page. */
export interface Visit {
  readonly operator: Operator;
  /** The token that their forms must send back. */
  readonly csrf: string;
  readonly engine: Engine;
  /** Id of the page's subject; '' for none. */
  readonly id: string;
  readonly query: URLSearchParams;
  /** Path and query, as requested. */
  readonly address: string;
  /** Whether the person has gone, or was answered that it took too long. */
  readonly isDisconnected?: () => boolean;
}
