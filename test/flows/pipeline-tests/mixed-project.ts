import { copyPipeline, loadPipeline } from '../../cli/tests/test-project.ts';

const emptyPipeline = `pipeline:
  components:
    Start: { type: start, transitions: { unconditional: [Maybe] } }
    Maybe:
      type: if
      transitions: { "true": [Done], "false": [Failed] }
      parameters: { mode: Simple, condition: [[n, Is, Less than, "3"]], combineConditions: And }
    Done: { type: end-success }
    Failed: { type: end-failure }
  variables:
    n: { metadata: { type: NUMBER, scope: SHARED, visibility: PUBLIC }, defaultValue: 0 }
`;
const many = Array.from(
  { length: 110 },
  (_, number) =>
    `  - { name: case ${number}, variables: { n: ${number % 5} }, expect: { outcome: success } }\n`,
).join('');

/** Passing and failing tests, a refusal, a test without its mock, wrong fixtures, a wrong file, and a pipeline without tests. */
export const mixedProject = {
  'many.orch.yaml': emptyPipeline,
  'many.test.yaml': `pipeline: many\ntests:\n${many}`,
  'daily/build-orders.tran.yaml': copyPipeline,
  'daily/load.orch.yaml': loadPipeline,
  'daily/load.test.yaml': 'pipeline: daily/load\ntests: [{ name: no mock, expect: { outcome: success } }]\n',
  'daily/numbers.test.yaml': `pipeline: daily/build-orders
tests:
  - name: exact numbers
    given:
      staging_orders:
        columns: { id: NUMBER, day: DATE, amount: 'NUMBER(38,10)', note: VARIANT }
        rows:
          - { id: 12345678901234567890123, amount: 0.1000000001, note: { exactNumber: '5', list: [1, null] } }
          - { id: 2 }
    expect:
      tables:
        orders: { rows: [{ id: 12345678901234567890124, note: { exactNumber: '6' } }, { id: 2, note: [null] }] }
  - name: wrong fixture
    given: { staging_orders: { columns: { id: NUMBER }, rows: [{ id: x }] } }
    expect: { outcome: success }
`,
  'daily/wrong.test.yaml': 'pipeline: daily/build-orders\ntests: [{ name: wrong, expects: {} }]\n',
  'refused.tran.yaml': copyPipeline.replace('type: rewrite-table', 'type: rewrite-lake'),
  'refused.test.yaml': `pipeline: refused
tests: [{ name: refused, given: { staging_orders: { rows: [{ id: 1 }] } }, expect: { tables: { orders: { count: 1 } } } }]
`,
  'alone.tran.yaml': copyPipeline,
};
