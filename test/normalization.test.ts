import { describe } from 'vitest';
import { testNormalization } from './normalization.js';
import { WAYS } from './support/clients.js';

describe.each(WAYS.slice(0, 1))('what a tool returns, over $way', testNormalization);
