import type * as z from 'zod';

/** What the check looks at; the schema that calls it knows more. */
interface Checked {
  readonly projects: readonly {
    readonly name: string;
    readonly connections: readonly { readonly name: string }[];
    readonly environments: readonly (string | EnvironmentSeed)[];
    readonly variables: readonly VariableSeed[];
  }[];
  readonly credentials: readonly {
    readonly name: string;
    readonly token?: string | undefined;
    readonly clientId?: string | undefined;
  }[];
}

interface EnvironmentSeed {
  readonly name: string;
  readonly defaultConnections?: { readonly DWH: Readonly<Record<string, string>> } | undefined;
}

interface VariableSeed {
  readonly name: string;
  readonly type: string;
  readonly value?: string | number | undefined;
  readonly overrides?: Readonly<Record<string, string | number>> | undefined;
}

type Refuse = (path: readonly (string | number)[], message: string) => void;

/** What a schema cannot say of a seed: names that stand twice, names of nothing, values of another type (spec §2). */
export function checkSeed(seed: Checked, context: z.RefinementCtx): void {
  const refuse: Refuse = (path, message) => {
    context.addIssue({ code: 'custom', path: [...path], message });
  };
  unique(refuse, ['projects'], 'name', seed.projects);
  unique(refuse, ['credentials'], 'name', seed.credentials);
  unique(refuse, ['credentials'], 'token', seed.credentials);
  unique(refuse, ['credentials'], 'clientId', seed.credentials);
  for (const [index, project] of seed.projects.entries()) {
    const path = ['projects', index];
    const environments = project.environments.map((given) =>
      typeof given === 'string' ? { name: given } : given,
    );
    unique(refuse, [...path, 'connections'], 'name', project.connections);
    unique(refuse, [...path, 'environments'], 'name', environments);
    unique(refuse, [...path, 'variables'], 'name', project.variables);
    const connections = new Set(project.connections.map(({ name }) => name));
    for (const [at, environment] of environments.entries())
      checkEnvironment(refuse, [...path, 'environments', at], environment, connections);
    const names = new Set(environments.map(({ name }) => name));
    for (const [at, variable] of project.variables.entries())
      checkVariable(refuse, [...path, 'variables', at], variable, names);
  }
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
    if (seen.has(value)) refuse([...path, index, key], `stands here a second time: "${value}"`);
    seen.add(value);
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
        `names "${name}", which is no connection of the project`,
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
      refuse(place, `is of the environment "${environment}", which the project lacks`);
    else if (typeof value !== expected) refuse(place, `must match the type ${variable.type}`);
  }
}
