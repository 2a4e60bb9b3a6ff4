import { testShortForms } from './short-forms.ts';

testShortForms('every-run');
