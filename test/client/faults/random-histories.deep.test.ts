import process from 'node:process';
import { testRandomHistories } from './random-histories.ts';

// For more histories set MILLRACE_HISTORIES=50000.
testRandomHistories(Number(process.env['MILLRACE_HISTORIES'] ?? 2000));
