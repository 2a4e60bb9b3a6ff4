import process from 'node:process';
import { testKilledWarehouse } from './killed-warehouse.ts';

// `MILLRACE_KILLS=50 npm run test:deep -- test/platform/world/killed-warehouse` kills it more often.
testKilledWarehouse(Number(process.env['MILLRACE_KILLS'] ?? 12));
