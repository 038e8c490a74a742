import { describe } from 'vitest';
import { HOSTILE, testValues } from './hostile-values.js';

describe('no value becomes an option, a response file, a property or a second argument', () => {
  const { 'a long option': option, 'a second property': property } = HOSTILE;
  testValues({ option, property });
});
