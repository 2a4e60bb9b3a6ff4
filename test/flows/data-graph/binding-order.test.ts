import { expect, test } from 'vitest';
import { bindingOrder } from '../../../flows/data-graph/bind/binding-order.ts';
import { readPipeline } from '../../../lib/pipelines/model/read-pipeline.ts';

const script = (sql: string) =>
  `pipeline: { components: { A: { type: sql-executor, parameters: { sqlScript: ${JSON.stringify(sql)} } } } }`;
const transformation = (reads: string, writes: string) => `type: transformation
pipeline:
  components:
    In: { type: table-input, parameters: { targetTable: ${reads} } }
    Out: { type: rewrite-table, sources: [In], parameters: { targetTable: ${writes} } }
`;

test.each([
  {
    title: 'a reader comes after the pipeline that creates its table, in any case and with a schema',
    files: {
      'a.orch.yaml': script('DELETE FROM last_one'),
      'b.tran.yaml': transformation('MIDDLE', 'LAST_ONE'),
      'c.orch.yaml': script('create or replace transient table if not exists "db".s."Middle" (x int)'),
    },
    order: ['c.orch.yaml', 'b.tran.yaml', 'a.orch.yaml'],
  },
  {
    title: 'pipelines that create the same table, and those without tables, keep their order',
    files: {
      'a.orch.yaml': script('CREATE TABLE IF NOT EXISTS log (x INT); INSERT INTO log SELECT 1'),
      'b.orch.yaml': script('SELECT 1'),
      'c.orch.yaml': script('CREATE TABLE IF NOT EXISTS log (x INT); INSERT INTO log SELECT 1'),
    },
    order: ['a.orch.yaml', 'b.orch.yaml', 'c.orch.yaml'],
  },
  {
    title: 'pipelines that need each other come in their order',
    files: {
      'a.tran.yaml': transformation('second', 'first'),
      'b.tran.yaml': transformation('first', 'second'),
      'c.tran.yaml': transformation('other', 'third'),
    },
    order: ['c.tran.yaml', 'a.tran.yaml', 'b.tran.yaml'],
  },
])('$title', ({ files, order }) => {
  const documents = new Map(Object.entries(files).map(([file, text]) => [file, readPipeline(file, text)]));
  expect(bindingOrder([...documents.keys()], (path) => documents.get(path))).toEqual(order);
});
