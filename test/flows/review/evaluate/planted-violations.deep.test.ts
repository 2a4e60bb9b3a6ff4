import { testPlantedViolations } from './planted-violations.ts';

testPlantedViolations(10_000);
