import { testKilledWarehouse } from './killed-warehouse.ts';

testKilledWarehouse(2);
