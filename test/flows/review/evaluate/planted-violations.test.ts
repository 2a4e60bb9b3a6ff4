import { testPlantedViolations } from './planted-violations.ts';

testPlantedViolations(1_000);
