import { html, type Markup } from '../../../lib/html/markup.ts';
import { definePage } from '../parts/page.ts';
import { type Column, pill } from '../../../lib/html/parts.ts';
import { table, time } from '../parts/parts.ts';

interface Place {
  readonly enabled: boolean;
  readonly deployedAt: string;
  /** Whether an execution without `versionName` uses this one (spec §4.4 rule 1). */
  readonly live: boolean;
}

interface Version {
  /** Of its page. */
  readonly id: number;
  readonly versionName: string;
  readonly commitHash: string;
  readonly createdAt: string;
  readonly files: number;
  readonly environments: Readonly<Record<string, Place>>;
}

interface ProjectVersions {
  readonly id: string;
  readonly name: string;
  readonly environments: readonly string[];
  /** Newest first. */
  readonly versions: readonly Version[];
}

interface SharedVersion {
  readonly sharedPipelineIdPrefix: string;
  readonly versionName: string;
  readonly enabled: boolean;
  readonly createdAt: string;
  readonly pipelines: number;
}

interface Versions {
  readonly projects: readonly ProjectVersions[];
  readonly shared: readonly SharedVersion[];
}

interface DeploymentRow {
  readonly environment: string;
  readonly version: string;
  readonly artifact: number;
  readonly enabled: number;
  readonly deployed: number;
  readonly created: number;
  readonly commitHash: string;
  readonly files: number;
}

const newest = 500;

/** The page of all versions: in which environments each is, in every project, and the versions of shared pipelines. */
export const versionsPage = definePage<Versions>({
  path: '/versions',
  read: ({ store }) => ({
    projects: store
      .all<{ id: string; name: string }>('SELECT id, name FROM project ORDER BY seq')
      .map(({ id, name }) => ({
        id,
        name,
        environments: store
          .all<{ name: string }>('SELECT name FROM environment WHERE project_id = ? ORDER BY seq', id)
          .map((environment) => environment.name),
        versions: versionsOf(
          store.all<DeploymentRow>(
            `SELECT d.environment_name AS environment, d.version_name AS version, d.artifact_id AS artifact, d.enabled,
               d.deployed_at AS deployed, a.created_at AS created, a.commit_hash AS commitHash,
               (SELECT count(*) FROM artifact_file f WHERE f.artifact_id = a.id) AS files
             FROM deployment d JOIN artifact a ON a.id = d.artifact_id
             WHERE d.project_id = ? ORDER BY d.seq DESC LIMIT ?`,
            id,
            newest,
          ),
        ),
      })),
    shared: store
      .all<{ prefix: string; version: string; enabled: number; created: number; pipelines: number }>(
        `SELECT prefix, version_name AS version, enabled, created_at AS created,
           (SELECT count(*) FROM shared_pipeline p WHERE p.artifact_seq = s.seq) AS pipelines
         FROM shared_artifact s ORDER BY prefix, seq DESC LIMIT ?`,
        newest,
      )
      .map((row) => ({
        sharedPipelineIdPrefix: row.prefix,
        versionName: row.version,
        enabled: row.enabled === 1,
        createdAt: new Date(row.created).toISOString(),
        pipelines: row.pipelines,
      })),
  }),
  title: () => 'Versions',
  show: ({ projects, shared }) => html`
    <p class="lead">
      Which version is in which environment. “Live” is the version that an execution uses if it names none.
      The page of a version draws its pipelines and their tables.
    </p>
    ${projects.length === 0 ? html`<p class="empty">There is no project.</p>` : null}
    ${projects.map(
      (project) =>
        html`<h2>${project.name}</h2>
          <p><code>${project.id}</code></p>
          ${projectTable(project)}`,
    )}
    <h2>Shared pipelines</h2>
    ${sharedTable(shared)}
  `,
});

function versionsOf(rows: readonly DeploymentRow[]): Version[] {
  const live = new Map<string, DeploymentRow>();
  // Newest first: the first enabled one of an environment is the live one.
  for (const row of rows) if (row.enabled === 1 && !live.has(row.environment)) live.set(row.environment, row);
  const byArtifact = Map.groupBy(rows, ({ artifact }) => artifact);
  return [...byArtifact.values()]
    .toSorted(([a], [b]) => (b?.artifact ?? 0) - (a?.artifact ?? 0))
    .flatMap((places) => {
      const [first] = places;
      if (first === undefined) return [];
      return {
        id: first.artifact,
        versionName: first.version,
        commitHash: first.commitHash,
        createdAt: new Date(first.created).toISOString(),
        files: first.files,
        environments: Object.fromEntries(
          places.map((row) => [
            row.environment,
            {
              enabled: row.enabled === 1,
              deployedAt: new Date(row.deployed).toISOString(),
              live: live.get(row.environment) === row,
            },
          ]),
        ),
      };
    });
}

function projectTable({ name, environments, versions }: ProjectVersions): Markup {
  return table<Version>(
    `Versions of ${name}, newest first`,
    versions,
    [
      {
        name: 'Version',
        show: ({ id, versionName }) => html`<a href="/_platform/versions/${id}">${versionName}</a>`,
      },
      ...environments.map((environment): Column<Version> => ({
        name: environment,
        show: ({ environments: places }) => place(places[environment]),
      })),
      { name: 'Created', kind: 'wide', show: ({ createdAt }) => time(createdAt) },
      {
        name: 'Commit',
        kind: 'wide',
        show: ({ commitHash }) => html`<code>${commitHash.slice(0, 12)}</code>`,
      },
      { name: 'Files', kind: 'number', show: ({ files }) => files },
    ],
    'No version was published yet.',
  );
}

function place(there: Place | undefined): Markup | string {
  if (there === undefined) return '–';
  if (!there.enabled) return pill('bad', 'disabled');
  return there.live ? pill('good', 'live') : pill('calm', 'enabled');
}

function sharedTable(shared: readonly SharedVersion[]): Markup {
  return table(
    'Versions of shared pipelines, newest first',
    shared,
    [
      { name: 'Group', show: ({ sharedPipelineIdPrefix }) => sharedPipelineIdPrefix },
      { name: 'Version', show: ({ versionName }) => versionName },
      { name: 'State', show: ({ enabled }) => (enabled ? pill('good', 'enabled') : pill('bad', 'disabled')) },
      { name: 'Pipelines', kind: 'number', show: ({ pipelines }) => pipelines },
      { name: 'Published', kind: 'wide', show: ({ createdAt }) => time(createdAt) },
    ],
    'No version was published yet.',
  );
}
