import { credentialForms } from './credential-forms.ts';
import { type ConfigValidator, type ReadConfig, readConfig } from '../fields/read-config.ts';
import { type ConnectionDetails, type ProvisionFile, provisionSchema } from './provision-schema.ts';

/**
 * Parses a file of a project's set-up. Throws Failure 'config-invalid' at the line and column of the first problem. A
 * secret in clear text is a problem, and the message does not quote it.
 */
export function readProvision(text: string, file: string): ReadConfig<ProvisionFile> {
  return readConfig(text, file, {
    schema: provisionSchema,
    validateWritten: refuseCredentials,
    validateValue: validateConnections,
  });
}

/** Required and optional fields of a connection in an environment (spec §2.3). */
const detailsOf: Readonly<
  Record<
    'key_pair' | 'password',
    { must: readonly (keyof ConnectionDetails)[]; may: readonly (keyof ConnectionDetails)[] }
  >
> = {
  key_pair: {
    must: [
      'account',
      'username',
      'defaultRole',
      'defaultWarehouse',
      'defaultDatabase',
      'defaultSchema',
      'privateKey',
    ],
    may: ['passphrase'],
  },
  password: {
    must: [
      'url',
      'username',
      'defaultDatabase',
      'defaultSchema',
      'defaultStorageLocation',
      'port',
      'useSsl',
      'password',
    ],
    may: [],
  },
};

const validateConnections: ConfigValidator<ProvisionFile> = ({ connections, environments }, report) => {
  for (const [name, { connections: used, defaultConnection }] of Object.entries(environments)) {
    const place = ['environments', name, 'connections'];
    const names = Object.keys(used);
    if (names.length === 0)
      report(place, `the environment "${name}" needs at least one warehouse connection`, 'atKey');
    if (names.length > 1 && defaultConnection === undefined)
      report(
        place,
        'this environment has several connections; name one of them in `defaultConnection`',
        'atKey',
      );
    if (defaultConnection !== undefined && !names.includes(defaultConnection))
      report(
        ['environments', name, 'defaultConnection'],
        `\`defaultConnection\` must be one of the connections of the environment "${name}": ${names.join(', ')}`,
      );
    for (const [connection, details] of Object.entries(used)) {
      const at = [...place, connection];
      const authType = connections[connection]?.authType;
      if (authType === undefined) {
        report(
          at,
          `the connection "${connection}" is not defined under \`connections\` at the top of this file`,
          'atKey',
        );
        continue;
      }
      const { must, may } = detailsOf[authType];
      for (const field of must)
        if (details[field] === undefined)
          report(
            at,
            `\`${field}\` is missing; a connection with \`authType: ${authType}\` needs it`,
            'atKey',
          );
      for (const field of Object.keys(details))
        if (![...must, ...may].some((allowed) => allowed === field))
          report(
            [...at, field],
            `\`${field}\` is not a field of a connection with \`authType: ${authType}\`; remove it`,
            'atKey',
          );
    }
  }
};

/** A password inside an address: `//user:password@host`, `?password=…`. */
const inAddress = /\/\/[^/@\s:]*:[^/@\s]+@|[?&;](?:password|pwd|passphrase|token|secret)=./i;

const refuseCredentials: ConfigValidator<unknown> = (value, report) => {
  const walk = (node: unknown, path: (string | number)[]): void => {
    if (typeof node === 'string') {
      if (inAddress.test(node) || credentialForms.some((form) => form.test(node)))
        report(
          path,
          'this looks like a secret, and this file must not contain one: revoke it, and refer to the new one by `secretName`',
        );
    } else if (typeof node === 'object' && node !== null)
      for (const [key, item] of Object.entries(node)) walk(item, [...path, key]);
  };
  walk(value, []);
};
