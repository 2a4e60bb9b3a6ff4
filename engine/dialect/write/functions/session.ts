import { decimal, quoteText, TEXT } from '../sql/typed.ts';
import type { FunctionRule, TypedCall, Rules } from './rule.ts';

/** A name that the session knows, as a text. */
function named(find: (call: TypedCall) => string, only?: FunctionRule['only']): FunctionRule {
  return {
    arguments: [0, 0],
    ...(only && { only }),
    write: (call) => ({ sql: quoteText(find(call)), type: TEXT }),
  };
}

/** On one machine there are no users, roles and compute sizes: each has this name. */
const only = named(() => 'MILLRACE', 'WAREHOUSE_ONE');

/** The number of the row, in a query of one GENERATOR and nothing else. */
const sequence: FunctionRule = {
  arguments: [0, 0],
  warehouseArguments: { WAREHOUSE_ONE: [0, 1] },
  only: 'WAREHOUSE_ONE',
  write: ({ writing }) => {
    const [relation, ...others] = writing.names.relations;
    if (relation?.counter === undefined || others.length > 0) return undefined;
    return { sql: `CAST(${relation.counter} AS DECIMAL(38, 0))`, type: decimal(38, 0), isInteger: true };
  },
};

/** Functions that return facts about the session or about generated rows. */
export const SESSION: Rules = {
  CURRENT_DATABASE: named(({ writing }) => writing.session.context.defaults.database),
  CURRENT_SCHEMA: {
    ...named(({ writing }) => writing.session.context.defaults.schema),
    withoutTable: 'the name itself',
  },
  CURRENT_USER: only,
  CURRENT_ROLE: only,
  CURRENT_WAREHOUSE: only,
  SEQ1: sequence,
  SEQ2: sequence,
  SEQ4: sequence,
  SEQ8: sequence,
};
