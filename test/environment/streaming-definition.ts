const secret = { secretType: 'KEY_VAULT', secretLocation: 'vault', secretName: 'name' };

/** A complete definition of a streaming pipeline (spec §4.2). */
export const streamingDefinition = (agentId: string, sourceType: string) => ({
  name: 'orders',
  agentId,
  streamingSource: {
    type: sourceType,
    connection: {
      host: 'db.example.com',
      port: 5432,
      database: 'shop',
      username: 'reader',
      password: secret,
      jdbcProperties: { lockTimeout: 10 },
    },
    tables: [{ schema: 'public', table: 'orders' }],
  },
  streamingTarget: {
    type: 'warehouse',
    connection: {
      accountName: 'account',
      username: 'loader',
      authentication: { type: 'key-pair' as const, privateKey: secret, passphrase: secret },
      jdbcProperties: { networkTimeout: 10 },
    },
    role: 'LOADER',
    warehouse: 'WH',
    database: 'RAW',
    stageSchema: 'STAGE',
    stageName: 'STAGED',
    stagePrefix: 'orders',
    tableSchema: 'PUBLIC',
    tablePrefixType: 'PREFIX',
    transformationType: 'CHANGE_LOG',
    temporalMapping: 'NATIVE',
  },
  advancedProperties: { 'batch.size': '2048' },
});
