import { testShortForms } from './short-forms.ts';

testShortForms('all-others');
