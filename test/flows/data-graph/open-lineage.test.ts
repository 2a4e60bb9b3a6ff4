import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { bindProject } from '../../../flows/data-graph/bind/bind-project.ts';
import { columnGraph } from '../../../flows/data-graph/lineage/column-graph.ts';
import { findColumn } from '../../../flows/data-graph/lineage/find-column.ts';
import { traceLineage } from '../../../flows/data-graph/lineage/lineage.ts';
import { openLineageEvents } from '../../../flows/data-graph/lineage/open-lineage.ts';
import { openTestProject } from '../../../flows/pipeline-tests/files/test-project.ts';
import { copy, graphOf, script } from './small-projects.ts';

const jobEvent = z.fromJSONSchema(
  JSON.parse(readFileSync(join(import.meta.dirname, 'open-lineage.schema.json'), 'utf8')) as Parameters<
    typeof z.fromJSONSchema
  >[0],
);
const options = { namespace: 'shop', now: Date.UTC(2026, 0, 2, 3, 4, 5) };

test('each event of the example is a JobEvent as the specification has it', async () => {
  const project = openTestProject('examples/warehouse', 'WAREHOUSE_ONE');
  const graph = await bindProject(project, { signal: new AbortController().signal, traces: true });
  const events = openLineageEvents(columnGraph(graph), options);
  expect(events.length).toBeGreaterThan(6);
  for (const event of events) {
    const checked = jobEvent.safeParse(event);
    expect.soft(checked.success ? [] : checked.error.issues).toEqual([]);
  }
});

test('the schema of the test refuses what the specification does not allow', () => {
  const job = { namespace: 'a', name: 'b' };
  const event = { eventTime: '2026-01-02T03:04:05.000Z', producer: 'urn:a', schemaURL: 'urn:b', job };
  expect(jobEvent.safeParse(event).success).toBe(true);
  const dataset = (columnLineage: object) => [{ namespace: 'a', name: 'b', facets: { columnLineage } }];
  const facet = { _producer: 'urn:a', _schemaURL: 'urn:b' };
  const wrong = [
    { ...event, eventTime: 'now' },
    { ...event, job: { name: 'b' } },
    { ...event, run: { runId: '1' } },
    { ...event, outputs: [{ name: 'b' }] },
    { ...event, outputs: dataset(facet) },
    { ...event, outputs: dataset({ ...facet, fields: { A: { inputFields: [{ name: 'b', field: 'C' }] } } }) },
  ];
  for (const each of wrong) expect.soft(jobEvent.safeParse(each).success, JSON.stringify(each)).toBe(false);
});

test('an event has the columns with their sources, and what decides about rows', async () => {
  const files = {
    'a.tran.yaml': copy('S', ['A'], 'T'),
    'b.orch.yaml': script(
      'create table S (A number);\ncreate table U as select max(A) as M from T where A > 1 group by A * 2;',
    ),
    'c.orch.yaml': script('select A from T'),
  };
  const columns = columnGraph(await graphOf(files, 'WAREHOUSE_ONE', true));
  const facet = { _producer: 'urn:millrace:lineage', _schemaURL: expect.any(String) as string };
  const source = { namespace: 'shop', name: 'TEST.PUBLIC.T', field: 'A' };
  const schema = (name: string) => ({ ...facet, fields: [{ name, type: 'NUMBER(38,0)' }] });
  const ofB = {
    eventTime: '2026-01-02T03:04:05.000Z',
    producer: 'urn:millrace:lineage',
    schemaURL: expect.stringContaining('JobEvent') as string,
    job: { namespace: 'shop', name: 'b' },
    inputs: [{ namespace: 'shop', name: 'TEST.PUBLIC.T', facets: { schema: schema('A') } }],
    outputs: [
      {
        namespace: 'shop',
        name: 'TEST.PUBLIC.U',
        facets: {
          schema: schema('M'),
          columnLineage: {
            ...facet,
            fields: {
              M: {
                inputFields: [{ ...source, transformations: [{ type: 'DIRECT', subtype: 'AGGREGATION' }] }],
              },
            },
            dataset: [{ ...source, transformations: [{ type: 'INDIRECT' }] }],
          },
        },
      },
    ],
  };
  const events = openLineageEvents(columns, options);
  expect(events).toEqual([expect.objectContaining({ job: { namespace: 'shop', name: 'a' } }), ofB]);
  const report = traceLineage(columns, findColumn(columns, 'U.M'), { up: false, down: true });
  expect(openLineageEvents(columns, { ...options, report })).toEqual([]);
});
