import { describe } from 'vitest';
import { testContext } from './call-context.js';

describe('the context of a call from a client of 2026-07-28', () => testContext('2026-07-28'));
