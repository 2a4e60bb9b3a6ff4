import { testFaultMatrix } from './fault-matrix.ts';
import { rowsInEnvironments } from './fault-rows-in-environments.ts';
import { rowsOfPublications } from './fault-rows-of-publications.ts';

testFaultMatrix('every run', [...rowsOfPublications, ...rowsInEnvironments]);
