import { testShortForms } from './short-forms.ts';

testShortForms('kills');
