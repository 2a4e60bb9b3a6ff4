import process from 'node:process';
import { testKilled } from './killed.ts';

// `MILLRACE_KILLS=50 npm run test:deep -- test/platform/store/killed` kills it more often.
testKilled(Number(process.env['MILLRACE_KILLS'] ?? 8));
