import process from 'node:process';
import { testCases } from './test-cases.ts';

// Of each kind of case this many: with 150 they are 5100.
testCases({
  seed: Number(process.env['MILLRACE_DIFFERENTIAL_SEED'] ?? 20_261_123),
  rounds: Number(process.env['MILLRACE_DIFFERENTIAL_ROUNDS'] ?? 30),
});
