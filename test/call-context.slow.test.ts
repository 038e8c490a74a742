import { describe } from 'vitest';
import { testContext } from './call-context.js';

describe('the context of a call from a client of 2025-11-25', () => testContext('2025-11-25'));
