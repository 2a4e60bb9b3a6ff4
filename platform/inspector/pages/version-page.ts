import * as z from 'zod';
import { drawGraph } from '../../../lib/drawing/draw-graph.ts';
import type { DrawnGraph } from '../../../lib/drawing/drawn-graph.ts';
import { html, type Markup } from '../../../lib/html/markup.ts';
import { facts } from '../../../lib/html/parts.ts';
import { check } from '../../refusal/guard.ts';
import { refuse } from '../../refusal/refusal.ts';
import type { World } from '../../world/world.ts';
import { definePage, type Question } from '../parts/page.ts';
import { table, time } from '../parts/parts.ts';
import { aroundPipeline, aroundTable, versionGraph, type VersionGraph } from '../parts/version-graph.ts';
import { executionsOf, executionTable, type Ran } from './executions-page.ts';

interface Row {
  readonly id: number;
  readonly projectId: string;
  readonly project: string;
  readonly versionName: string;
  readonly commitHash: string;
  readonly created: number;
}

interface ShownVersion extends Omit<Row, 'created'> {
  readonly createdAt: string;
  readonly environments: readonly string[];
  /** The environment whose database and schema the names of tables get that have none; null if there is none. */
  readonly namesOf: string | null;
  readonly graph: VersionGraph;
  /** The selected pipeline, with the newest executions that ran it; or the selected table. */
  readonly selected:
    { readonly pipeline: string; readonly executions: readonly Ran[] } | { readonly table: string } | null;
}

const asked = z.strictObject({ pipeline: z.string().optional(), table: z.string().optional() });

/** With more pipelines, the page has a list instead of a picture that no browser shows well. */
const maxDrawn = 1000;

/** The graph of a version; with `?pipeline=` or `?table=`, one node of it. */
export const versionPage = definePage<ShownVersion>({
  path: '/versions/:id',
  isStill: ({ query }) => query['pipeline'] === undefined,
  async read(world, question) {
    const { pipeline, table: tableName } = check(question, asked, question.query);
    const { created, ...version } = findVersion(world, question);
    const environments = world.store
      .all<{ name: string }>(
        `SELECT e.name FROM environment e JOIN deployment d ON d.project_id = e.project_id AND d.environment_name = e.name
         WHERE d.artifact_id = ? ORDER BY e.seq`,
        version.id,
      )
      .map(({ name }) => name);
    const [namesOf = null] = environments;
    const graph = await versionGraph(
      world,
      version.id,
      world.warehouses.namesIn(version.projectId, namesOf ?? ''),
    );
    if (pipeline !== undefined && !graph.nodes.some(({ name }) => name === pipeline))
      throw refuse(404, `Version ${version.versionName} has no pipeline "${pipeline.slice(0, 200)}".`);
    if (tableName !== undefined && !graph.tables.some(({ name }) => name === tableName))
      throw refuse(
        404,
        `No pipeline of version ${version.versionName} uses a table "${tableName.slice(0, 200)}".`,
      );
    return {
      ...version,
      createdAt: new Date(created).toISOString(),
      environments,
      namesOf,
      graph,
      selected:
        pipeline !== undefined
          ? { pipeline, executions: executionsOf(world, version.projectId, pipeline) }
          : tableName !== undefined
            ? { table: tableName }
            : null,
    };
  },
  title: ({ project, versionName, selected }) => {
    if (selected === null) return `Version ${versionName}, ${project}`;
    return 'pipeline' in selected ? selected.pipeline : selected.table;
  },
  show: (version) => {
    const { selected } = version;
    if (selected === null) return wholeVersion(version);
    return 'pipeline' in selected ? onePipeline(version, selected) : oneTable(version, selected.table);
  },
});

/** Throws Refusal 404. */
function findVersion(world: World, { id }: Question): Row {
  const row = world.store.get<Row>(
    `SELECT a.id, p.id AS projectId, p.name AS project, a.version_name AS versionName, a.commit_hash AS commitHash,
       a.created_at AS created
     FROM artifact a JOIN project p ON p.id = a.project_id WHERE a.id = ?`,
    id,
  );
  if (row === undefined) throw refuse(404, `There is no version with the id ${id.slice(0, 100)}.`);
  return row;
}

function wholeVersion(version: ShownVersion): Markup {
  const { graph, environments, namesOf, commitHash, createdAt } = version;
  const own = graph.nodes.filter(({ kind }) => kind === 'orchestration' || kind === 'transformation');
  const { unknown } = graph;
  const callers = Map.groupBy(graph.calls, ({ to }) => to);
  const uses = Map.groupBy(graph.uses, ({ pipeline }) => pipeline);
  return html`
    <p class="lead">
      The pipelines of the version, what they call, and the tables that they name. Click a pipeline for its
      executions and its tables.
    </p>
    ${facts([
      ['Environments', environments.join(', ') || '–'],
      ['Created', time(createdAt)],
      ['Commit', html`<code>${commitHash.slice(0, 12)}</code>`],
      ['Database and schema of', namesOf ?? '–'],
    ])}
    ${
      own.length > maxDrawn
        ? html`<p class="empty">${own.length} pipelines are too many for one picture: choose one below.</p>`
        : drawing(graph, version, 'Pipelines of the version and their tables')
    }
    ${
      unknown.length === 0
        ? null
        : table(
            'Tables that are known only at run time',
            unknown,
            [
              { name: 'Pipeline', show: ({ pipeline }) => pipelineLink(version, pipeline) },
              { name: 'Component', show: ({ component }) => component ?? '–' },
              { name: 'Line', kind: 'number', show: ({ line }) => line },
              { name: 'Why', kind: 'text', show: ({ reason }) => reason },
            ],
            '',
          )
    }
    ${table(
      'Pipelines',
      own,
      [
        { name: 'Pipeline', show: ({ name }) => pipelineLink(version, name) },
        { name: 'Kind', show: ({ kind }) => kind },
        {
          name: 'Called by',
          kind: 'number',
          show: ({ name }) => callers.get(name)?.length ?? 0,
        },
        {
          name: 'Tables',
          kind: 'number',
          show: ({ name }) => new Set(uses.get(name)?.map((use) => use.table)).size,
        },
      ],
      'The version has no pipelines.',
    )}
  `;
}

function onePipeline(
  version: ShownVersion,
  { pipeline, executions }: { readonly pipeline: string; readonly executions: readonly Ran[] },
): Markup {
  const { graph } = version;
  return html`
    ${backLink(version)}
    ${drawing(aroundPipeline(graph, pipeline), version, `${pipeline}, its calls and its tables`)}
    <h2>Executions</h2>
    ${executionTable('The newest executions that ran the pipeline, of all versions', executions)}
    <h2>Tables</h2>
    ${useTable(
      version,
      graph.uses.filter((use) => use.pipeline === pipeline),
    )}
  `;
}

function oneTable(version: ShownVersion, name: string): Markup {
  return html`
    ${backLink(version)}
    ${drawing(aroundTable(version.graph, name), version, `${name} and the pipelines that use it`)}
    <h2>Uses</h2>
    ${useTable(
      version,
      version.graph.uses.filter((use) => use.table === name),
    )}
  `;
}

function useTable(version: ShownVersion, uses: VersionGraph['uses']): Markup {
  return table(
    'Components with their tables',
    uses,
    [
      { name: 'Component', show: ({ component }) => component },
      { name: 'Pipeline', show: ({ pipeline }) => pipelineLink(version, pipeline) },
      { name: 'Effect', show: ({ effect }) => effect },
      {
        name: 'Table',
        show: (use) => html`<a href="${linkTo(version, 'table', use.table)}">${use.table}</a>`,
      },
      { name: 'File', kind: 'code', show: ({ file, line }) => `${file}:${line}` },
    ],
    'The pipeline names no table.',
  );
}

function drawing(graph: DrawnGraph, version: ShownVersion, title: string): Markup {
  const { selected } = version;
  const links = {
    pipeline: (name: string) => linkTo(version, 'pipeline', name),
    table: (name: string) => linkTo(version, 'table', name),
    ...(selected === null ? {} : { current: 'pipeline' in selected ? selected.pipeline : selected.table }),
  };
  return html`<div class="picture" tabindex="0" role="region" aria-label="${title}">
    ${drawGraph(graph, { title, links, isStyled: true })}
  </div>`;
}

function linkTo({ id }: Pick<ShownVersion, 'id'>, kind: 'pipeline' | 'table', name: string): string {
  return `/_platform/versions/${id}?${kind}=${encodeURIComponent(name)}`;
}

function pipelineLink(version: Pick<ShownVersion, 'id'>, name: string): Markup {
  return html`<a href="${linkTo(version, 'pipeline', name)}">${name}</a>`;
}

function backLink({ id, versionName }: Pick<ShownVersion, 'id' | 'versionName'>): Markup {
  return html`<p><a href="/_platform/versions/${id}">Version ${versionName}</a></p>`;
}
