import * as z from 'zod';
import { closedEnum, nonEmpty, uuid } from '../description/field.ts';

const text = z.strictObject({ value: z.string() });
const secret = z.strictObject({ secretName: nonEmpty });
const secretWithKey = z.strictObject({ secretName: nonEmpty, secretKey: nonEmpty });

/** Spec §2.3, first table: key pair. The passphrase is required only when the private key is encrypted. */
export const keyPairProperties = z
  .strictObject({
    account: text,
    username: text,
    defaultRole: text,
    defaultWarehouse: text,
    defaultDatabase: text,
    defaultSchema: text,
    privateKey: secret,
    passphrase: secretWithKey.optional(),
  })
  .meta({ title: 'a key pair' });

const numberAsText = z.strictObject({ value: z.string().regex(/^\d+$/, 'must be a number as text') });
const booleanAsText = z.strictObject({ value: closedEnum(['true', 'false']) });

/** Spec §2.3, second table: password. `port` and `useSsl` hold a number or boolean as text. */
export const passwordProperties = z
  .strictObject({
    url: text,
    username: text,
    defaultDatabase: text,
    defaultSchema: text,
    defaultStorageLocation: text,
    port: numberAsText,
    useSsl: booleanAsText,
    password: secretWithKey,
  })
  .meta({ title: 'a password' });

export const connectionOverride = z.strictObject({
  connectionName: nonEmpty,
  connectionProperties: z.union([keyPairProperties, passwordProperties]),
});

/** Spec §2.3. */
export const environmentDefinition = z.strictObject({
  name: nonEmpty,
  displayName: z.string().optional(),
  description: z.string().optional(),
  defaultAgentId: uuid,
  defaultUserAccessLevel: closedEnum(['default', 'admin', 'runner', 'readOnly', 'noAccess']),
  defaultConnections: z.strictObject({ DWH: z.record(nonEmpty, nonEmpty) }),
  connectionOverrides: z.array(connectionOverride),
});

/**
 * Spec §2.3, last paragraph. The prose also writes `defaultAgentID`: readers take both and expose `defaultAgentId`.
 */
export const environment = z
  .looseObject({
    name: z.string(),
    defaultAgentId: z.string().optional(),
    defaultAgentID: z.string().optional(),
    defaultAgentName: z.string().nullish(),
  })
  .transform(({ defaultAgentID, ...rest }) => ({
    ...rest,
    defaultAgentId: rest.defaultAgentId ?? defaultAgentID ?? null,
  }));
