import { testThrottledPlatform } from './throttled-platform.ts';

testThrottledPlatform(503);
