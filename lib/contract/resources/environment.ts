import * as z from 'zod';
import { closedEnum, nonEmpty, uuid } from '../description/field.ts';

const text = z.strictObject({ value: z.string() });
const secret = z.strictObject({ secretName: nonEmpty });
const secretWithKey = z.strictObject({ secretName: nonEmpty, secretKey: nonEmpty });

/**
 * The connection properties for authentication with a key pair (spec §2.3, first table). The passphrase is only
 * required if the private key is encrypted.
 */
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

/**
 * The connection properties for authentication with a password (spec §2.3, second table). `port` and `useSsl`
 * contain a number and a boolean as text.
 */
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

/** The body that creates an environment (spec §2.3). */
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
 * An environment in an answer (spec §2.3, last paragraph). The text there also writes `defaultAgentID`; readers
 * accept both names and return `defaultAgentId`.
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
