import type * as z from 'zod';
import { areaOf, type EventName } from './event-names.ts';
import { meantClause } from '../../lib/core/text/did-you-mean.ts';

/** The part of a seed that is validated here. */
interface Checked {
  readonly projects: readonly {
    readonly id?: string | undefined;
    readonly name: string;
    readonly connections: readonly { readonly name: string }[];
    readonly environments: readonly (string | EnvironmentSeed)[];
    readonly variables: readonly VariableSeed[];
    readonly artifacts: readonly ArtifactSeed[];
    readonly streamingPipelines: readonly {
      readonly id?: string | undefined;
      readonly agentId?: string | undefined;
    }[];
  }[];
  readonly agents: Readonly<Record<string, unknown>>;
  readonly credentials: readonly {
    readonly name: string;
    readonly token?: string | undefined;
    readonly clientId?: string | undefined;
    readonly identity?: { readonly issuer: string } | undefined;
    readonly projects?:
      readonly string[] | Readonly<Record<string, string | Readonly<Record<string, string>>>> | undefined;
  }[];
  readonly connectors: {
    readonly custom: readonly ConnectorSeed[];
    readonly flex: readonly ConnectorSeed[];
    readonly rows: Readonly<Record<string, unknown>>;
  };
  readonly events: readonly { readonly name: EventName; readonly project?: string | undefined }[];
  readonly issuers: readonly {
    readonly issuer: string;
    readonly keys?: readonly unknown[] | undefined;
    readonly jwksUri?: string | undefined;
  }[];
  readonly shared: readonly (Content & { readonly prefix: string; readonly version: string })[];
}

interface ConnectorSeed {
  readonly id?: string | number | undefined;
  readonly alternateId?: string | undefined;
}

interface Content {
  readonly folder?: string | undefined;
  readonly files?: Readonly<Record<string, string>> | undefined;
}

interface ArtifactSeed extends Content {
  readonly version: string;
  readonly environments: readonly (string | { readonly name: string })[];
}

interface EnvironmentSeed {
  readonly name: string;
  readonly defaultAgentId?: string | undefined;
  readonly defaultConnections?: { readonly DWH: Readonly<Record<string, string>> } | undefined;
}

interface VariableSeed {
  readonly name: string;
  readonly type: string;
  readonly value?: string | number | undefined;
  readonly overrides?: Readonly<Record<string, string | number>> | undefined;
}

type Refuse = (path: readonly (string | number)[], message: string) => void;

/** Validates what the schema cannot express: duplicate names, unknown names and values of the wrong type (spec §2). */
export function validateSeed(seed: Checked, context: z.RefinementCtx): void {
  const refuse: Refuse = (path, message) => {
    context.addIssue({ code: 'custom', path: [...path], message });
  };
  unique(refuse, ['projects'], 'name', seed.projects);
  unique(refuse, ['credentials'], 'name', seed.credentials);
  unique(refuse, ['credentials'], 'token', seed.credentials);
  unique(refuse, ['credentials'], 'clientId', seed.credentials);
  checkAccess(refuse, seed);
  checkIssuers(refuse, seed);
  checkEvents(refuse, seed);
  checkConnectors(refuse, seed);
  for (const [at, shared] of seed.shared.entries()) {
    checkContent(refuse, ['shared', at], shared);
    const twin = seed.shared.findIndex(
      ({ prefix, version }) => prefix === shared.prefix && version === shared.version,
    );
    if (twin < at) refuse(['shared', at, 'version'], `is a duplicate: "${shared.version}"`);
  }
  for (const [index, project] of seed.projects.entries()) {
    const path = ['projects', index];
    const environments: EnvironmentSeed[] = project.environments.map((entry) =>
      typeof entry === 'string' ? { name: entry } : entry,
    );
    const names = new Set(environments.map(({ name }) => name));
    unique(refuse, [...path, 'connections'], 'name', project.connections);
    unique(refuse, [...path, 'environments'], 'name', environments);
    unique(refuse, [...path, 'variables'], 'name', project.variables);
    const connections = new Set(project.connections.map(({ name }) => name));
    for (const [at, environment] of environments.entries())
      checkEnvironment(refuse, [...path, 'environments', at], environment, connections);
    unique(refuse, [...path, 'streamingPipelines'], 'id', project.streamingPipelines);
    const checkAgent = agentCheck(refuse, seed);
    for (const [at, { defaultAgentId }] of environments.entries())
      checkAgent([...path, 'environments', at, 'defaultAgentId'], defaultAgentId);
    for (const [at, { agentId }] of project.streamingPipelines.entries())
      checkAgent([...path, 'streamingPipelines', at, 'agentId'], agentId);
    unique(refuse, [...path, 'artifacts'], 'version', project.artifacts);
    for (const [at, artifact] of project.artifacts.entries())
      checkArtifact(refuse, [...path, 'artifacts', at], artifact, names);
    for (const [at, variable] of project.variables.entries())
      checkVariable(refuse, [...path, 'variables', at], variable, names);
  }
}

/** Refuses a runner that the seed does not list, if it lists any. */
function agentCheck(refuse: Refuse, { agents }: Checked) {
  const ids = new Set(Object.keys(agents).map((id) => id.toLowerCase()));
  return (path: readonly (string | number)[], id: string | undefined) => {
    if (id !== undefined && ids.size > 0 && !ids.has(id.toLowerCase()))
      refuse(path, `names "${id}", which is not a runner of the seed: \`agents\` has ${[...ids].join(', ')}`);
  };
}

function unique<Key extends string>(
  refuse: Refuse,
  path: readonly (string | number)[],
  key: Key,
  items: readonly { readonly [name in Key]?: string | undefined }[],
): void {
  const seen = new Set<string>();
  for (const [index, item] of items.entries()) {
    const value = item[key];
    if (value === undefined) continue;
    if (seen.has(value)) refuse([...path, index, key], `is a duplicate: "${value}"`);
    seen.add(value);
  }
}

function checkAccess(refuse: Refuse, { credentials, projects }: Checked): void {
  const projectNames = new Set(projects.map(({ name }) => name));
  for (const [at, { projects: seen = [] }] of credentials.entries()) {
    const path = ['credentials', at, 'projects'];
    const named = Array.isArray(seen)
      ? seen.map((name: string, index) => [name, index, undefined] as const)
      : Object.entries(seen).map(([name, levels]) => [name, name, levels] as const);
    for (const [name, step, levels] of named) {
      const project = projects.find((candidate) => candidate.name === name);
      if (project === undefined)
        refuse(
          [...path, step],
          `names "${name}", which is not a project of the seed${meantClause(name, projectNames)}`,
        );
      else if (typeof levels === 'object') checkLevels(refuse, [...path, step], levels, project.environments);
    }
  }
}

function checkLevels(
  refuse: Refuse,
  path: readonly (string | number)[],
  levels: Readonly<Record<string, string>>,
  environments: readonly (string | EnvironmentSeed)[],
): void {
  const names = new Set(environments.map((entry) => (typeof entry === 'string' ? entry : entry.name)));
  for (const name of Object.keys(levels))
    if (!names.has(name))
      refuse(
        [...path, name],
        `names "${name}", which is not an environment of the project${meantClause(name, names)}`,
      );
}

function checkIssuers(refuse: Refuse, { credentials, issuers }: Checked): void {
  unique(refuse, ['issuers'], 'issuer', issuers);
  for (const [at, { keys, jwksUri }] of issuers.entries())
    if ((keys === undefined) === (jwksUri === undefined))
      refuse(['issuers', at], 'needs either keys or jwksUri');
  for (const [at, { identity }] of credentials.entries())
    if (identity !== undefined && !issuers.some(({ issuer }) => issuer === identity.issuer))
      refuse(
        ['credentials', at, 'identity', 'issuer'],
        `names "${identity.issuer}", which is not an issuer of the seed`,
      );
}

function checkEvents(refuse: Refuse, { events, projects }: Checked): void {
  const known = new Set(projects.flatMap(({ id, name }) => (id === undefined ? [name] : [id, name])));
  const first = projects[0]?.name;
  for (const [at, { name, project = first }] of events.entries())
    if (project === undefined ? areaOf(name).inProject : !known.has(project))
      refuse(
        ['events', at, 'project'],
        project === undefined
          ? `is missing: "${name}" belongs to a project, and the seed has none`
          : `names "${project}", which is not a project of the seed${meantClause(project, known)}`,
      );
}

function checkConnectors(refuse: Refuse, { connectors }: Checked): void {
  const ids = new Set(
    [...connectors.custom, ...connectors.flex].flatMap(({ id, alternateId }) =>
      [id, alternateId].flatMap((each) => (each === undefined ? [] : [String(each)])),
    ),
  );
  for (const id of Object.keys(connectors.rows))
    if (!ids.has(id))
      refuse(
        ['connectors', 'rows', id],
        `names "${id}", which is not the id of a connector of the seed${meantClause(id, ids)}`,
      );
}

function checkContent(refuse: Refuse, path: readonly (string | number)[], { folder, files }: Content): void {
  if (folder === undefined && files === undefined) refuse(path, 'needs a folder');
  if (folder !== undefined && files !== undefined)
    refuse([...path, 'files'], 'cannot be combined with folder');
}

function checkArtifact(
  refuse: Refuse,
  path: readonly (string | number)[],
  artifact: ArtifactSeed,
  environments: ReadonlySet<string>,
): void {
  checkContent(refuse, path, artifact);
  const seen = new Set<string>();
  for (const [at, entry] of artifact.environments.entries()) {
    const name = typeof entry === 'string' ? entry : entry.name;
    const place = [...path, 'environments', at];
    if (!environments.has(name))
      refuse(
        place,
        `names "${name}", which is not an environment of the project${meantClause(name, environments)}`,
      );
    if (seen.has(name)) refuse(place, `is a duplicate: "${name}"`);
    seen.add(name);
  }
}

function checkEnvironment(
  refuse: Refuse,
  path: readonly (string | number)[],
  environment: EnvironmentSeed,
  connections: ReadonlySet<string>,
): void {
  for (const [provider, name] of Object.entries(environment.defaultConnections?.DWH ?? {}))
    if (!connections.has(name))
      refuse(
        [...path, 'defaultConnections', 'DWH', provider],
        `names "${name}", which is not a connection of the project${meantClause(name, connections)}`,
      );
}

function checkVariable(
  refuse: Refuse,
  path: readonly (string | number)[],
  variable: VariableSeed,
  environments: ReadonlySet<string>,
): void {
  const expected = variable.type === 'TEXT' ? 'string' : 'number';
  if (variable.value !== undefined && typeof variable.value !== expected)
    refuse([...path, 'value'], `must match the type ${variable.type}`);
  for (const [environment, value] of Object.entries(variable.overrides ?? {})) {
    const place = [...path, 'overrides', environment];
    if (!environments.has(environment))
      refuse(
        place,
        `names the environment "${environment}", which the project does not have${meantClause(environment, environments)}`,
      );
    else if (typeof value !== expected) refuse(place, `must match the type ${variable.type}`);
  }
}
