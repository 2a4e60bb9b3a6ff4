/** A whole set-up: two kinds of connection, environments with their own details. */
export const setupFile = `version: 1
project:
  name: shop
  description: The shop
  warehouse: WAREHOUSE_ONE
connections:
  shop-dev: { authType: key_pair }
  shop-prod: { authType: key_pair }
environments:
  dev:
    defaultAgentId: 11111111-2222-4333-8444-555555555555
    defaultUserAccessLevel: admin
    connections:
      shop-dev:
        account: account
        username: dev
        defaultRole: LOADER
        defaultWarehouse: WH
        defaultDatabase: DEV
        defaultSchema: PUBLIC
        privateKey: { secretName: dev-key }
  prod:
    displayName: Production
    defaultAgentId: 11111111-2222-4333-8444-555555555556
    defaultUserAccessLevel: readOnly
    connections:
      shop-prod:
        account: account
        username: prod
        defaultRole: LOADER
        defaultWarehouse: WH
        defaultDatabase: PROD
        defaultSchema: PUBLIC
        privateKey: { secretName: prod-key }
        passphrase: { secretName: prod-key, secretKey: passphrase }
repository:
  provider: git-host
  ownerName: demo
  repositoryName: shop
`;

/** One environment with a connection that signs in by password. */
export const passwordFile = `version: 1
project: { name: lake, warehouse: WAREHOUSE_TWO }
connections:
  lake: { authType: password }
environments:
  dev:
    defaultAgentId: 11111111-2222-4333-8444-555555555555
    defaultUserAccessLevel: default
    connections:
      lake:
        url: jdbc:lake://lake.example.com
        username: loader
        defaultDatabase: DEV
        defaultSchema: public
        defaultStorageLocation: stage
        port: 5439
        useSsl: true
        password: { secretName: lake, secretKey: password }
`;

/** The number of the line that contains a text, from 1. */
export function lineOf(file: string, text: string): number {
  return file.split('\n').findIndex((line) => line.includes(text)) + 1;
}
