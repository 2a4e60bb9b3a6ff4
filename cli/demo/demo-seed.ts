import type { Seed } from '../../platform/index.ts';

/** The project id in millrace.yaml of the example project. */
export const demoProjectId = '00000000-0000-4000-8000-000000000001';

/** The data that the pipelines of the example project read: tables, and the files that they load. */
export const exampleData: Pick<Seed, 'tables' | 'executions'> = {
  tables: [
    {
      name: 'PRODUCTS',
      columns: { PRODUCT_ID: 'VARCHAR', PRODUCT_NAME: 'VARCHAR', REORDER_AT: 'INTEGER' },
      rows: [{ PRODUCT_ID: 'p1', PRODUCT_NAME: 'Lamp', REORDER_AT: 5 }],
    },
    {
      name: 'REGIONS',
      columns: { COUNTRY: 'VARCHAR', REGION: 'VARCHAR' },
      rows: [
        { COUNTRY: 'NO', REGION: 'north' },
        { COUNTRY: 'IT', REGION: 'south' },
      ],
    },
  ],
  executions: [
    {
      pipeline: 'daily/stage files',
      tables: {
        STG_ORDERS: {
          rows: [
            order('o1', 'c1', '2', '3.50'),
            order('o1', 'c1', '1', '10.00'),
            order('o2', 'c2', '4', '3.50'),
          ],
        },
        STG_CUSTOMERS: {
          rows: [
            { CUSTOMER_ID: 'c1', NAME: 'Ada', COUNTRY: 'NO', CHANGED_AT: '2026-01-01 10:00:00' },
            { CUSTOMER_ID: 'c2', NAME: 'Bo', COUNTRY: 'IT', CHANGED_AT: '2026-01-01 11:00:00' },
          ],
        },
        STG_STOCK: { rows: [{ STORE: 's1', PRODUCT_ID: 'p1', ON_HAND: 3 }] },
      },
    },
  ],
};

/** The seed of the demo's platform: the example project with its three environments. */
export async function demoSeed(): Promise<Seed> {
  const { newSeed } = await import('../../platform/index.ts');
  const { settings } = await newSeed();
  return {
    // Simulated components take a moment, so that a person sees a promotion move.
    settings: { ...settings, componentTime: settings?.execution === 'engine' ? '15ms' : '300ms' },
    credentials: [{ name: 'demo', role: 'superAdmin' }],
    projects: [
      {
        id: demoProjectId,
        name: 'warehouse',
        description: 'The example project of the demo',
        connections: [{ name: 'warehouse', authType: 'key_pair' }],
        environments: ['dev', 'test', 'prod'],
        repository: { ownerName: 'demo', repositoryName: 'warehouse' },
      },
    ],
    ...exampleData,
  };
}

function order(id: string, customer: string, quantity: string, price: string) {
  return {
    ORDER_ID: id,
    CUSTOMER_ID: customer,
    PRODUCT_ID: 'p1',
    QUANTITY: quantity,
    PRICE: price,
    ORDER_DAY: '2026-01-02',
  };
}
