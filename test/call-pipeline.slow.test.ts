import { describe } from 'vitest';
import { testPipeline } from './call-pipeline.js';
import { WAYS } from './support/clients.js';

describe.each(WAYS.slice(1))('a call over $way', testPipeline);
