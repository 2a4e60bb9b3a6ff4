import { testKilled } from './killed.ts';

testKilled(2);
