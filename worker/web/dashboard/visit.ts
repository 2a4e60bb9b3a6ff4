import type { Operator } from '../../operators/operator.ts';
import type { Engine } from '../../promotion/engine.ts';

/** Who looks at what. That they may look at it is settled. */
export interface Visit {
  readonly operator: Operator;
  /** What their forms must bring back. */
  readonly csrf: string;
  readonly engine: Engine;
  /** Id of what the page is about; '' where it is about no one thing. */
  readonly id: string;
  readonly query: URLSearchParams;
  /** Path and query, as the browser asked. */
  readonly address: string;
}
