import process from 'node:process';
import { testCases } from './test-cases.ts';

testCases({
  seed: Number(process.env['MILLRACE_DIFFERENTIAL_SEED'] ?? 20_261_123),
  rounds: Number(process.env['MILLRACE_DIFFERENTIAL_ROUNDS'] ?? 100),
});
