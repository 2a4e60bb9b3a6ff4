export type { FaultPlan, FaultRule } from './faults/fault-schema.ts';
export type { LedgerEntry, LedgerFilter } from './world/ledger.ts';
export type {
  ClientCredentials,
  Platform,
  PlatformFaults,
  PlatformOptions,
  PlatformTime,
} from './world/platform.ts';
export { defaultSeed, newSeed } from './seed/default-seed.ts';
export { readSeed } from './planting/read-seed.ts';
export type { AllowedSource, SecretPlace, Seed } from './seed/seed-schema.ts';
export { startPlatform } from './app/start-platform.ts';
