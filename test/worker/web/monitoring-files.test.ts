import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';
import { showMetrics } from '../../../worker/web/show-metrics.ts';
import { testRedis } from '../../environment/redis.ts';
import { oneLane } from '../promotion/gates/one-lane.ts';
import { noJobs } from './no-jobs.ts';

const folder = path.join(import.meta.dirname, '../../../examples/monitoring');
const redis = testRedis();

/** Labels that Prometheus adds, and the label of buckets. */
const scraped = ['instance', 'job', 'le'];
const used = /(?<![\w"])((?:millrace|process|nodejs)_\w+)(\{[^}]*\})?/gu;

interface Metrics {
  /** As Prometheus reads them. */
  readonly text: string;
  readonly labels: ReadonlySet<string>;
}

async function readMetrics(): Promise<Metrics> {
  const { ports, push, advance } = await oneLane(redis);
  // A platform appears in the metrics when it is used.
  await advance(await push('v1.0.0'));
  const labels = ports.metrics.registry
    .getMetricsAsArray()
    .flatMap((metric) => z.array(z.string()).parse(Reflect.get(metric, 'labelNames')));
  return { text: await showMetrics(ports, noJobs), labels: new Set([...scraped, ...labels]) };
}

/** Metrics, series and labels that the worker does not have. */
function unknownIn(expression: string, { text, labels }: Metrics): readonly string[] {
  const known = [...text.matchAll(/^# TYPE (\S+) (\S+)/gmu)].flatMap(([, name = '', kind]) =>
    kind === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
  );
  const metrics = [...expression.matchAll(used)];
  const grouped = [...expression.matchAll(/\b(?:by|on) \(([^)]*)\)/gu)].flatMap(([, list = '']) =>
    list.split(', '),
  );
  return [
    ...(metrics.length === 0 ? [`no metric in ${expression}`] : []),
    ...metrics.flatMap(([, name = '', labelsOf = '']) => [
      ...(known.includes(name) ? [] : [name]),
      ...(text.includes(`\n${name}${labelsOf.slice(0, -1)}`) || labelsOf === ''
        ? []
        : [`${name}${labelsOf}`]),
    ]),
    ...grouped.filter((label) => !labels.has(label)),
  ];
}

const rulesSchema = z.strictObject({
  groups: z.array(
    z.strictObject({
      name: z.string(),
      rules: z.array(
        z.strictObject({
          alert: z.string().regex(/^Millrace[A-Z]\w+$/u),
          expr: z.string(),
          for: z
            .string()
            .regex(/^\d+[mhd]$/u)
            .optional(),
          labels: z.strictObject({ severity: z.enum(['critical', 'warning']) }),
          annotations: z.strictObject({ summary: z.string(), description: z.string() }),
        }),
      ),
    }),
  ),
});

const targetSchema = z.strictObject({
  refId: z.string(),
  datasource: z.strictObject({ type: z.literal('prometheus'), uid: z.literal('${datasource}') }),
  expr: z.string(),
  legendFormat: z.string(),
});
const dashboardSchema = z.object({
  uid: z.string(),
  title: z.string(),
  schemaVersion: z.number(),
  templating: z.object({
    list: z.array(
      z.object({
        name: z.literal('datasource'),
        type: z.literal('datasource'),
        query: z.literal('prometheus'),
      }),
    ),
  }),
  panels: z.array(
    z.object({
      id: z.number(),
      type: z.enum(['row', 'stat', 'timeseries']),
      title: z.string(),
      gridPos: z.object({ x: z.number(), y: z.number(), w: z.number().max(24), h: z.number() }),
      targets: z.array(targetSchema).min(1).optional(),
    }),
  ),
});

const readDashboard = async () =>
  dashboardSchema.parse(JSON.parse(await readFile(path.join(folder, 'dashboard.json'), 'utf8')));
const readRules = async () =>
  rulesSchema
    .parse(parse(await readFile(path.join(folder, 'alerts.yaml'), 'utf8')))
    .groups.flatMap(({ rules }) => rules);

test('a metric, a series or a label that the worker does not have is found in an expression', async () => {
  const metrics = await readMetrics();
  const found = (expression: string) => unknownIn(expression, metrics);
  expect(found('max(millrace_no_such) > 0')).toEqual(['millrace_no_such']);
  expect(found('max(millrace_lanes{state="hold"})')).toEqual(['millrace_lanes{state="hold"}']);
  expect(found('sum by (colour) (millrace_lanes)')).toEqual(['colour']);
  expect(found('up > 0')).toEqual(['no metric in up > 0']);
  expect(found('max by (state) (millrace_lanes{state="held"})')).toEqual([]);
});

/** The number beside an age, and measures of the delivery: no value of these is a fault. */
const notAlerted =
  /^millrace_(?:unsent_updates|lane_(?:deployments|lead_time_seconds|change_failure_ratio|time_to_restore_seconds))$/u;

test('each metric that a page of the documentation names is in an alert rule, but those that cannot show a fault', async () => {
  const docs = path.join(folder, '../../docs');
  const pages = (await readdir(docs)).filter((name) => name.endsWith('.md'));
  const texts = await Promise.all(pages.map((name) => readFile(path.join(docs, name), 'utf8')));
  // The local platform has metrics of streaming pipelines; nobody is called because of them.
  const named = new Set(texts.flatMap((text) => text.match(/millrace_(?!streaming_)\w+[a-z]/gu) ?? []));
  const rules = (await readRules()).map(({ expr }) => expr).join(' ');
  expect(named).toContain('millrace_records_newer');
  expect([...named].filter((name) => !rules.includes(name) && !notAlerted.test(name))).toEqual([]);
});

test('every alert rule has its form, a name of its own, and only metrics that the worker has', async () => {
  const rules = await readRules();
  const metrics = await readMetrics();
  expect(rules.flatMap(({ expr }) => unknownIn(expr, metrics))).toEqual([]);
  expect(new Set(rules.map(({ alert }) => alert)).size).toBe(rules.length);
  const quoted = rules.flatMap(({ expr, annotations }) =>
    [...`${annotations.summary} ${annotations.description}`.matchAll(/\$labels\.(\w+)/gu)].filter(
      ([, label = '']) => !new RegExp(`by \\([^)]*\\b${label}\\b`, 'u').test(expr),
    ),
  );
  expect(quoted).toEqual([]);
});

test('the dashboard has the form that Grafana imports, and only metrics that the worker has', async () => {
  const { panels, templating } = await readDashboard();
  expect(templating.list).toHaveLength(1);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  expect(panels.filter(({ type, targets }) => (type === 'row') !== (targets === undefined))).toEqual([]);
  expect(panels.filter(({ gridPos: { x, w } }) => x + w > 24)).toEqual([]);
  const expressions = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  const metrics = await readMetrics();
  expect(expressions.flatMap((expression) => unknownIn(expression, metrics))).toEqual([]);
});
