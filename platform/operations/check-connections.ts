import type * as z from 'zod';
import {
  type environmentDefinition,
  keyPairProperties,
  passwordProperties,
} from '../../lib/contract/resources/environment.ts';
import { sentences } from '../refusal/violations.ts';
import type { Store } from '../store/store.ts';

interface Connection {
  readonly name: string;
  readonly auth_provider: string;
  readonly auth_type: 'key_pair' | 'password';
}

const propertiesOf = { key_pair: keyPairProperties, password: passwordProperties } as const;

/**
 * Validates the connections of an environment against the registered ones (spec §2.3; the call order of §4.1 follows
 * from it). Returns the violations.
 */
export function checkConnections(
  store: Store,
  projectId: string,
  definition: z.output<typeof environmentDefinition>,
): string[] {
  const rows = store.all<Connection>(
    'SELECT name, auth_provider, auth_type FROM connection WHERE project_id = ?',
    projectId,
  );
  const registered = new Map(rows.map((row) => [row.name, row]));
  const defaults = Object.entries(definition.defaultConnections.DWH);
  return [
    ...(defaults.length === 0 ? ['defaultConnections.DWH must not be empty (§2.3)'] : []),
    ...defaults.flatMap(([provider, name]) => checkDefault(provider, name, registered.get(name))),
    ...definition.connectionOverrides.flatMap((override, index) =>
      checkOverride(
        `connectionOverrides[${String(index)}]`,
        override,
        registered.get(override.connectionName),
      ),
    ),
  ];
}

function checkDefault(provider: string, name: string, connection: Connection | undefined): string[] {
  const field = `defaultConnections.DWH.${provider}`;
  if (connection === undefined)
    return [`${field} names "${name}", which is not a registered connection (§2.3)`];
  if (connection.auth_provider === provider) return [];
  return [`${field} names "${name}", whose authProvider is ${connection.auth_provider} (§2.3)`];
}

function checkOverride(
  field: string,
  override: { readonly connectionName: string; readonly connectionProperties: unknown },
  connection: Connection | undefined,
): string[] {
  if (connection === undefined)
    return [
      `${field}.connectionName names "${override.connectionName}", which is not a registered connection (§2.3)`,
    ];
  const checked = propertiesOf[connection.auth_type].safeParse(override.connectionProperties, {
    reportInput: true,
  });
  if (checked.success) return [];
  return sentences(checked.error, `${field}.connectionProperties.`).map(
    (sentence) => `${sentence} (§2.3, ${connection.auth_type})`,
  );
}
