/** A whole definition in the words of spec §2.5, as a file. */
export const definitionText = `name: orders
agentId: 11111111-2222-4333-8444-555555555555
streamingSource:
  type: postgres
  connection:
    host: db.example.com
    port: 5432
    database: shop
    username: reader
    password: { secretType: KEY_VAULT, secretLocation: vault, secretName: reader }
  tables:
    - schema: public
      table: orders
streamingTarget:
  type: warehouse
  connection:
    accountName: account
    username: loader
    authentication:
      type: key-pair
      privateKey: { secretType: KEY_VAULT, secretLocation: vault, secretName: key }
  role: LOADER
  warehouse: WH
  database: RAW
  stageSchema: STAGE
  stageName: STAGED
  stagePrefix: orders
  tableSchema: PUBLIC
  tablePrefixType: PREFIX
  transformationType: CHANGE_LOG
  temporalMapping: NATIVE
`;
