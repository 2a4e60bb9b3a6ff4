export type { FaultPlan, FaultRule } from './faults/fault-schema.ts';
export type { LedgerEntry, LedgerFilter } from './ledger.ts';
export type {
  ClientCredentials,
  Platform,
  PlatformFaults,
  PlatformOptions,
  PlatformTime,
} from './platform.ts';
export { defaultSeed } from './seed/default-seed.ts';
export { readSeed } from './seed/read-seed.ts';
export type { Seed } from './seed/seed-schema.ts';
export { startPlatform } from './start-platform.ts';
